// Native threads that make exercises: a network to play with goes in, exercises come out.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "school/exercises.h"

namespace ludus {

// What the threads have done so far.
struct ExerciseCounts {
  std::int64_t made = 0, tried = 0;
  double first_ply = 0;  // the mean ply of the first position that was solved in each of the last games
};

template <State S, class Solver>
class ExerciseThreads {
 public:
  using Maker = ExerciseMaker<S, Solver>;

  // `most` exercises may wait to be taken; then the threads wait.
  ExerciseThreads(std::vector<std::unique_ptr<Maker>> makers, std::shared_ptr<const Judge> judge, std::size_t most)
      : makers_(std::move(makers)), judge_(std::move(judge)), most_(most) {
    for (const std::unique_ptr<Maker>& maker : makers_) threads_.emplace_back([this, &maker] { work_safely(*maker); });
  }
  ~ExerciseThreads() { stop(); }
  ExerciseThreads(const ExerciseThreads&) = delete;
  ExerciseThreads& operator=(const ExerciseThreads&) = delete;

  // From now on sensible moves come from this network.
  void use(std::shared_ptr<const Judge> judge) {
    const std::lock_guard hold(mutex_);
    judge_ = std::move(judge);
  }

  // Up to `count` exercises; it waits some seconds for the first. Throws what a thread has thrown.
  std::vector<Exercise> take(std::size_t count, double seconds) {
    std::unique_lock hold(mutex_);
    ready_.wait_for(hold, std::chrono::duration<double>(seconds), [&] { return !done_.empty() || thrown_; });
    if (thrown_) std::rethrow_exception(thrown_);
    std::vector<Exercise> taken;
    for (; taken.size() < count && !done_.empty(); done_.pop_front()) taken.push_back(std::move(done_.front()));
    room_.notify_all();
    return taken;
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

  ExerciseCounts counts() {
    const std::lock_guard hold(mutex_);
    return counts_;
  }

 private:
  void work_safely(Maker& maker) {
    try {
      while (!stop_) work(maker);
    } catch (...) {
      const std::lock_guard hold(mutex_);
      thrown_ = std::current_exception();
      ready_.notify_all();
    }
  }

  void work(Maker& maker) {
    std::vector<Exercise> made = maker.make(*judge(), stop_);
    std::unique_lock hold(mutex_);
    if (stop_) return;
    counts_.tried += maker.tried();
    counts_.first_ply = maker.first_ply();
    counts_.made += static_cast<std::int64_t>(made.size());
    std::move(made.begin(), made.end(), std::back_inserter(done_));
    ready_.notify_one();
    room_.wait(hold, [&] { return stop_ || done_.size() < most_; });
  }

  std::shared_ptr<const Judge> judge() {
    const std::lock_guard hold(mutex_);
    return judge_;
  }

  std::vector<std::unique_ptr<Maker>> makers_;
  std::shared_ptr<const Judge> judge_;
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable ready_, room_;
  std::deque<Exercise> done_;
  std::exception_ptr thrown_;
  ExerciseCounts counts_;
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ludus
