// The module ludus.cpu._processor: which level of x86-64 this processor and its operating system have. It is a module
// of its own because it must run everywhere; the levels are those of the System V ABI.
#include <Python.h>
#include <cpuid.h>

#include <cstdint>

namespace {

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers cpuid(unsigned leaf) {
  Registers r;
  __get_cpuid_count(leaf, 0, &r.a, &r.b, &r.c, &r.d);  // zeros where there is no such leaf
  return r;
}

// The sets of registers that the operating system keeps when it changes from one thread to another.
std::uint64_t kept_registers() {
  constexpr unsigned osxsave = 1u << 27;
  if (!(cpuid(1).c & osxsave)) return 0;
  std::uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

bool all(std::uint64_t have, std::uint64_t needed) { return (have & needed) == needed; }

const char* level() {
  constexpr unsigned fma = 1u << 12, movbe = 1u << 22, avx = 1u << 28, f16c = 1u << 29;         // leaf 1, c
  constexpr unsigned lzcnt = 1u << 5;                                                           // leaf 0x80000001, c
  constexpr unsigned bmi1 = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8;                            // leaf 7, b
  constexpr unsigned f = 1u << 16, dq = 1u << 17, cd = 1u << 28, bw = 1u << 30, vl = 1u << 31;  // AVX-512, leaf 7, b
  constexpr unsigned ymm = 0x06, zmm = 0xe6;
  const unsigned features = cpuid(7).b;
  const std::uint64_t kept = kept_registers();
  if (!all(kept, ymm) || !all(cpuid(1).c, fma | movbe | avx | f16c) || !all(cpuid(0x80000001).c, lzcnt) ||
      !all(features, bmi1 | avx2 | bmi2))
    return "baseline";
  return all(kept, zmm) && all(features, f | dq | cd | bw | vl) ? "v4" : "v3";
}

PyObject* level_for_python(PyObject*, PyObject*) { return PyUnicode_FromString(level()); }

PyMethodDef functions[] = {
    {"level", level_for_python, METH_NOARGS, "The highest level of x86-64 that this processor has."},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef module = {PyModuleDef_HEAD_INIT, "_processor", nullptr, 0, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit__processor() { return PyModule_Create(&module); }
