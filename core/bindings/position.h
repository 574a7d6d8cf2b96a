// Position<S>: a native state as Python holds it, with its game and the actions that led to it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/state.h"
#include "bindings/python.h"

namespace ludus {

// The actions played so far, as a linked list. Each state shares all but the last link with the state it came from.
class History {
 public:
  int length() const { return last_ ? last_->length : 0; }
  int last() const { return last_ ? last_->action : -1; }

  History with(Action action) const {
    History longer;
    longer.last_ = std::make_shared<Link>(Link{action, length() + 1, last_});
    return longer;
  }
  std::vector<Action> actions() const {
    std::vector<Action> list(static_cast<std::size_t>(length()));
    for (const Link* link = last_.get(); link; link = link->before.get()) list[link->length - 1] = link->action;
    return list;
  }

  History() = default;
  History(const History&) = default;
  History(History&&) = default;
  History& operator=(const History&) = default;
  History& operator=(History&&) = default;
  ~History() {  // frees link by link, because the recursion of shared_ptr would be as deep as the game is long
    while (last_ && last_.use_count() == 1) last_ = std::exchange(last_->before, nullptr);
  }

 private:
  struct Link {
    Action action;
    int length;
    std::shared_ptr<Link> before;
  };
  std::shared_ptr<Link> last_;
};

// What a state of a compiled game remembers. The Python class of every Position derives from this one, so that
// Python can ask for the past without knowing the game.
struct Past {
  nb::object game;    // the ludus.Game this is a state of
  nb::object origin;  // the drawn board it began from; None: the game's start
  History history;
};

template <State S>
struct Position : Past {
  S state;

  Position(S state, nb::object game, nb::object origin = nb::none(), History history = {})
      : Past{std::move(game), std::move(origin), std::move(history)}, state(std::move(state)) {}

  Position after(Action action) const {
    Position next{state, game, origin, history.with(action)};
    next.state.play(action);
    return next;
  }
};

}  // namespace ludus
