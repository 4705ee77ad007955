#include "native/driver/unseen_source.h"

#include <gtest/gtest.h>

namespace tarry::native {
namespace {

TEST(UnseenSource, AssemblyThatMayAccessMemoryCounts) {
  for (const char* text : {"int f(int* p) { asm(\"movl $1, %0\" : \"=m\"(*p)); }", "void f() { __asm__ __volatile__ (\"lock; incl %0\\n\\t\" : \"+m\"(x)); }", "__asm volatile(\"xchg %0, %1\" : : );",
                           "asm goto(\"cmpxchg\" : : : : out);", "asm(LOCK \"incl %0\" : \"+m\"(x));", "asm { mov eax, 1 }", "#define INC(p) \\\n  asm volatile(\"inc %0\" \\\n : \"+m\"(*p))",
                           "asm /* a */ volatile // b\n(\"pause; incl %0\" : \"+m\"(x));", "int n = 1'000; asm(\"incl (%0)\" : : \"r\"(p));", "char c = '\"'; asm(\"incl (%0)\" : : \"r\"(p)); char d = '\"';",
                           "#define ASM __asm__ __volatile__\nvoid f() { ASM(\"incl %0\" : \"+m\"(x)); }", "void f() { A(\"incl %0\" : \"+m\"(x)); }\n#define A B\n# define B \\\n  asm // c\n", "#define INC asm(\"incl x\" : : )\n"})
    EXPECT_EQ(unseen_in_text(text), (UnseenSource{.assembly = true})) << text;
}

TEST(UnseenSource, PausesBarriersNamesAndTextsDoNot) {
  for (const char* text : {"asm volatile(\"pause\");", "asm volatile(\"\" ::: \"memory\");", "__asm__ __volatile__(\"rep; nop\" ::: \"memory\");", "asm volatile(\" mfence \\n\\t pause\");", "int f(void) asm(\"g\");",
                           "extern int x __asm__(\"y.z@V\");", "// asm(\"incl %0\")", "/* asm(\"incl %0\") */", "const char* s = \"asm(\\\"incl\\\")\";", "int asm_count; jasm(1);", "asm", "asm volatile", "/*", "'", "\"",
                           "#define ASM __asm__ __volatile__\nint ASMS(1); ASM(\"pause\");", "#define asm __asm__\n#define BARRIER asm volatile(\"\" ::: \"memory\")\n", "#include <asm/types.h>\n#ifdef __asm__\n#endif"})
    EXPECT_EQ(unseen_in_text(text), UnseenSource{}) << text;
}

TEST(UnseenSource, FunctionsThatAreExemptFromThreadSanitizerCount) {
  for (const char* text : {"__attribute__((no_sanitize(\"thread\"))) void f();", "[[gnu::no_sanitize(\"undefined\", \"thread\")]] void f();", "[[clang::no_sanitize ( \"address,thread\" )]] void f();", "__attribute__((no_sanitize_thread)) void f();",
                           "__attribute__((disable_sanitizer_instrumentation)) void f();", "#define NO_TSAN __attribute__((no_sanitize(\"thread\")))\nNO_TSAN void f();",
                           "#define OUTER INNER inline\n#define INNER __attribute__((__no_sanitize__(\"thread\")))\nOUTER void f();"})
    EXPECT_EQ(unseen_in_text(text), (UnseenSource{.exempt = true})) << text;
  for (const char* text : {"#define NO_TSAN __attribute__((no_sanitize(\"thread\")))\nvoid f();", "__attribute__((no_sanitize(\"address\"))) void f();", "__attribute__((no_sanitize_address)) void f();",
                           "// no_sanitize_thread", "int no_sanitize = 1; bool thread = no_sanitize;", "#if __has_attribute(no_sanitize)\n#endif", "no_sanitize("})
    EXPECT_EQ(unseen_in_text(text), UnseenSource{}) << text;
}

}  // namespace
}  // namespace tarry::native
