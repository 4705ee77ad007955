#include "native/driver/inline_assembly.h"

#include <gtest/gtest.h>

namespace tarry::native {
namespace {

TEST(InlineAssembly, StatementsThatMayAccessMemoryCount) {
  for (const char* text : {"int f(int* p) { asm(\"movl $1, %0\" : \"=m\"(*p)); }", "void f() { __asm__ __volatile__ (\"lock; incl %0\\n\\t\" : \"+m\"(x)); }", "__asm volatile(\"xchg %0, %1\" : : );",
                           "asm goto(\"cmpxchg\" : : : : out);", "asm(LOCK \"incl %0\" : \"+m\"(x));", "asm { mov eax, 1 }", "#define INC(p) \\\n  asm volatile(\"inc %0\" \\\n : \"+m\"(*p))",
                           "asm /* a */ volatile // b\n(\"pause; incl %0\" : \"+m\"(x));", "int n = 1'000; asm(\"incl (%0)\" : : \"r\"(p));", "char c = '\"'; asm(\"incl (%0)\" : : \"r\"(p)); char d = '\"';"})
    EXPECT_TRUE(is_text_with_assembly(text)) << text;
}

TEST(InlineAssembly, PausesBarriersNamesAndTextsDoNot) {
  for (const char* text : {"asm volatile(\"pause\");", "asm volatile(\"\" ::: \"memory\");", "__asm__ __volatile__(\"rep; nop\" ::: \"memory\");", "asm volatile(\" mfence \\n\\t pause\");", "int f(void) asm(\"g\");",
                           "extern int x __asm__(\"y.z@V\");", "// asm(\"incl %0\")", "/* asm(\"incl %0\") */", "const char* s = \"asm(\\\"incl\\\")\";", "int asm_count; jasm(1);", "asm", "asm volatile", "/*", "'", "\""})
    EXPECT_FALSE(is_text_with_assembly(text)) << text;
}

}  // namespace
}  // namespace tarry::native
