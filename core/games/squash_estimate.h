// What the estimates share: any lead becomes a guess at the score.
#pragma once

#include "base/state.h"

namespace ludus {

// Strictly between -1 and 1, odd and rising: -1 … 0 … 1 as `lead` goes from very bad to very good.
inline float squash(float lead) { return lead / (1.f + (lead < 0 ? -lead : lead)); }

}  // namespace ludus
