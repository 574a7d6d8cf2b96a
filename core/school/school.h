// Self-play on native threads, none of which ever waits for Python: weights and settings go in, finished games come
// out.
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
  double all = 0, waiting = 0, network = 0, teaching = 0;
  Work work = {};
};

template <State S>
class School {
 public:
  using Teach = std::function<void(Finished&)>;
  struct Orders {  // what holds for all threads from now on
    std::shared_ptr<const Judge> judge;
    MctsOptions options;
    std::size_t games;  // side by side, on all threads together
  };
  // Who plays on one thread, and who teaches what was played there, if anybody does.
  struct Worker {
    std::unique_ptr<SelfPlay<S>> player;
    Teach teach;
  };

  // `most` finished games may wait to be taken; then the threads wait.
  School(std::vector<Worker> workers, Orders orders, std::size_t most)
      : workers_(std::move(workers)), orders_(std::move(orders)), most_(most) {
    for (std::size_t i = 0; i < workers_.size(); ++i) threads_.emplace_back([this, i] { work_safely(i); });
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
    room_.notify_one();
    return game;
  }

  void stop() {
    {
      const std::lock_guard hold(mutex_);
      stop_ = true;
    }
    room_.notify_all();
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

  void work_safely(std::size_t i) {
    try {
      work(i);
    } catch (...) {
      const std::lock_guard hold(mutex_);
      thrown_ = std::current_exception();
      ready_.notify_all();
    }
  }

  void work(std::size_t i) {
    SelfPlay<S>& player = *workers_[i].player;
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
    workers_[i].player->use(orders_.options);
    workers_[i].player->grow(std::max<std::size_t>(1, (orders_.games + i) / workers_.size()));
  }

  void ask(std::size_t i, Desk& desk) {
    const Clock::time_point asked = Clock::now();
    desk.orders.judge->answer(*workers_[i].player, desk.judge);
    desk.hours.network += since(asked);
    if (since(desk.began) < 0.05) return;
    const std::lock_guard hold(mutex_);
    report(i, desk);
  }

  void hand_over(std::size_t i, Desk& desk, Finished& game) {
    if (workers_[i].teach) {
      const Clock::time_point asked = Clock::now();
      workers_[i].teach(game);
      desk.hours.teaching += since(asked);
    }
    std::unique_lock hold(mutex_);
    const Clock::time_point ready = Clock::now();
    room_.wait(hold, [&] { return stop_ || done_.size() < most_; });
    desk.hours.waiting += since(ready);
    report(i, desk);
    if (stop_) return;
    done_.push_back(std::move(game));
    ready_.notify_one();
  }

  // With the mutex in hand.
  void report(std::size_t i, Desk& desk) {
    const Work work = workers_[i].player->work();
    hours_.all += since(std::exchange(desk.began, Clock::now()));
    hours_.waiting += desk.hours.waiting, hours_.network += desk.hours.network, hours_.teaching += desk.hours.teaching;
    hours_.work.moves += work.moves, hours_.work.evaluations += work.evaluations;
    desk.hours = {};
  }

  std::vector<Worker> workers_;
  Orders orders_;
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable ready_, room_;
  std::deque<Finished> done_;
  std::exception_ptr thrown_;
  Hours hours_;
  std::atomic<std::int64_t> version_ = 0;
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ludus
