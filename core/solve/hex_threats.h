// What one player's connections from side to side mean for the other player.
#pragma once

#include "base/bits.h"

namespace ludus {

template <int W>
class HexThreats {
 public:
  // No connections yet, on a board with the empty cells `open`.
  void start(const Bits<W>& open) {
    must_break_ = open;
    needs_ = {};
    any_ = connected_ = false;
  }

  // A full connection. Nothing may be added after it.
  void connect(const Bits<W>& carrier) {
    any_ = connected_ = true;
    must_break_ = {};
    needs_ = carrier;
  }

  // A semi connection; several that have no cell in common make a full one.
  void add(const Bits<W>& carrier) {
    if (any_ && !must_break_.without(carrier).any()) return;  // leaves no fewer answers than the others do
    must_break_ &= carrier;
    needs_ |= carrier;
    any_ = true;
    connected_ = !must_break_.any();
  }

  bool connected() const { return connected_; }
  bool any() const { return any_; }

  // The cells common to all threats: the other player must take one of them now, or it has lost.
  const Bits<W>& must_break() const { return must_break_; }

  // All cells that this needs: those of the connection, or of such threats together.
  const Bits<W>& needs() const { return needs_; }

 private:
  Bits<W> must_break_, needs_;
  bool any_ = false, connected_ = false;
};

}  // namespace ludus
