// Self-play on native threads, none of which ever waits for Python: weights and settings go in, finished games come
// out. Where there is an exact teacher, it has threads of its own, through which finished games go.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "school/judge.h"

namespace ludus {

// What the threads have done: seconds of all of them together, and their work.
struct Hours {
  double all = 0, waiting = 0, network = 0;  // of those who play
  double teachers = 0, teaching = 0;         // of the teachers: all, and at work
  Work work = {};
};

template <State S>
class School {
 public:
  using Player = std::unique_ptr<SelfPlay<S>>;
  using Teach = std::function<void(Finished&, const std::atomic<bool>& stop)>;
  struct Orders {  // what holds for all threads from now on
    std::shared_ptr<const Judge> judge;
    MctsOptions options;
    std::int64_t simulations;  // for every move
    std::size_t games;         // side by side, on all threads together
  };

  // A thread for each player and each teacher. `most` finished games may wait to be taken; then the players wait.
  School(std::vector<Player> players, std::vector<Teach> teachers, Orders orders, std::size_t most)
      : players_(std::move(players)), teachers_(std::move(teachers)), orders_(std::move(orders)), most_(most) {
    for (std::size_t i = 0; i < players_.size(); ++i) start([this, i] { play(i); });
    for (const Teach& teach : teachers_) start([this, &teach] { teach_on(teach); });
  }
  ~School() { stop(); }
  School(const School&) = delete;
  School& operator=(const School&) = delete;

  void use(Orders orders) {
    const std::lock_guard hold(mutex_);
    orders_ = std::move(orders);
    ++version_;
  }

  // The next finished game; nothing, if there is none after some seconds. Throws what a thread has thrown.
  std::optional<Finished> take(double seconds) {
    std::unique_lock hold(mutex_);
    ready_.wait_for(hold, std::chrono::duration<double>(seconds), [&] { return !done_.empty() || thrown_; });
    if (thrown_) std::rethrow_exception(thrown_);
    if (done_.empty()) return std::nullopt;
    Finished game = std::move(done_.front());
    done_.pop_front();
    --waiting_;
    room_.notify_one();
    return game;
  }

  void stop() {
    {
      const std::lock_guard hold(mutex_);
      stop_ = true;
    }
    room_.notify_all(), played_ready_.notify_all();
    for (std::thread& thread : threads_)
      if (thread.joinable()) thread.join();
  }

  Hours hours() {
    const std::lock_guard hold(mutex_);
    return hours_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

  // What one thread has at hand.
  struct Desk {
    Orders orders = {};
    std::int64_t version = -1;  // of the orders
    Judge::Desk judge = {};
    Hours hours = {};  // since the last report
    Clock::time_point began = Clock::now();
  };

  template <class Work>
  void start(Work work) {
    threads_.emplace_back([this, work] {
      try {
        work();
      } catch (...) {
        const std::lock_guard hold(mutex_);
        thrown_ = std::current_exception();
        ready_.notify_all();
      }
    });
  }

  void play(std::size_t i) {
    SelfPlay<S>& player = *players_[i];
    Desk desk;
    while (!stop_) {
      if (desk.version != version_) obey(i, desk);
      if (player.go())
        ask(i, desk);
      else
        for (Finished& game : player.finished()) hand_over(i, desk, game);
    }
  }

  void obey(std::size_t i, Desk& desk) {
    const std::lock_guard hold(mutex_);
    desk.orders = orders_, desk.version = version_;
    players_[i]->use(orders_.options, orders_.simulations);
    players_[i]->grow(std::max<std::size_t>(1, (orders_.games + i) / players_.size()));
  }

  void ask(std::size_t i, Desk& desk) {
    const Clock::time_point asked = Clock::now();
    desk.orders.judge->answer(*players_[i], desk.judge);
    desk.hours.network += since(asked);
    if (since(desk.began) < 0.05) return;
    const std::lock_guard hold(mutex_);
    report(i, desk);
  }

  void hand_over(std::size_t i, Desk& desk, Finished& game) {
    std::unique_lock hold(mutex_);
    const Clock::time_point ready = Clock::now();
    room_.wait(hold, [&] { return stop_ || waiting_ < most_; });
    desk.hours.waiting += since(ready);
    report(i, desk);
    if (stop_) return;
    ++waiting_;
    (teachers_.empty() ? done_ : played_).push_back(std::move(game));
    (teachers_.empty() ? ready_ : played_ready_).notify_one();
  }

  void teach_on(const Teach& teach) {
    Clock::time_point began = Clock::now();
    std::unique_lock hold(mutex_);
    while (!stop_) {
      const bool some =
          played_ready_.wait_for(hold, std::chrono::milliseconds(50), [&] { return stop_ || !played_.empty(); });
      if (some && !stop_) teach_next(teach, hold);
      hours_.teachers += since(std::exchange(began, Clock::now()));
    }
  }

  // With the mutex in hand, except while it teaches.
  void teach_next(const Teach& teach, std::unique_lock<std::mutex>& hold) {
    Finished game = std::move(played_.front());
    played_.pop_front();
    hold.unlock();
    const Clock::time_point asked = Clock::now();
    teach(game, stop_);
    const double spent = since(asked);
    hold.lock();
    hours_.teaching += spent;
    done_.push_back(std::move(game));
    ready_.notify_one();
  }

  // With the mutex in hand.
  void report(std::size_t i, Desk& desk) {
    const Work work = players_[i]->work();
    hours_.all += since(std::exchange(desk.began, Clock::now()));
    hours_.waiting += desk.hours.waiting, hours_.network += desk.hours.network;
    hours_.work.moves += work.moves, hours_.work.evaluations += work.evaluations;
    desk.hours = {};
  }

  std::vector<Player> players_;
  std::vector<Teach> teachers_;
  Orders orders_;
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable played_ready_, ready_, room_;
  std::deque<Finished> played_, done_;  // to be taught, to be taken
  std::size_t waiting_ = 0;             // games that were played and not taken yet
  std::exception_ptr thrown_;
  Hours hours_;
  std::atomic<std::int64_t> version_ = 0;
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ludus
