// Books for Python: the words of a file.
#pragma once

#include <cstring>
#include <string>

#include "bindings/python.h"
#include "solve/book.h"

namespace ludus {

// From now on solvers use this book, or none if it has no words.
template <class Book>
void use_book(const nb::bytes& bytes) {
  using Entry = typename Book::Entry;
  if (bytes.size() % sizeof(Entry) != 0)
    raise("BadOption", "a book is made of words of " + std::to_string(sizeof(Entry)) + " bytes");
  std::vector<Entry> words(bytes.size() / sizeof(Entry));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  if (!std::is_sorted(words.begin(), words.end())) raise("BadOption", "the words of a book must be sorted");
  Book::use(words.empty() ? nullptr : std::make_shared<const Book>(std::move(words)));
}

}  // namespace ludus
