/* Included in front of every C and C++ file that 'tarry cc' and 'tarry c++' compile with gcc (compile.cc).

   The standard library asks for copies by gcc's own names, and gcc then writes those of a small constant size as moves, behind the pass that
   instruments: nobody sees them. So these names are calls, of the functions that Tarry's runtime takes over. In constant expressions the library
   does without. */
#if !defined(__ASSEMBLER__) && defined(__GNUC__) && !defined(__clang__) && !defined(TARRY_COPIES_ARE_CALLS)
#define TARRY_COPIES_ARE_CALLS
#pragma GCC system_header
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((__nothrow__)) void* tarry_call_memcpy(void*, const void*, __SIZE_TYPE__) __asm__("memcpy");
__attribute__((__nothrow__)) void* tarry_call_memmove(void*, const void*, __SIZE_TYPE__) __asm__("memmove");
__attribute__((__nothrow__)) void* tarry_call_memset(void*, int, __SIZE_TYPE__) __asm__("memset");
__attribute__((__nothrow__)) int tarry_call_memcmp(const void*, const void*, __SIZE_TYPE__) __asm__("memcmp");
__attribute__((__nothrow__)) void* tarry_call_memcpy_chk(void*, const void*, __SIZE_TYPE__, __SIZE_TYPE__) __asm__("__memcpy_chk");
__attribute__((__nothrow__)) void* tarry_call_memmove_chk(void*, const void*, __SIZE_TYPE__, __SIZE_TYPE__) __asm__("__memmove_chk");
__attribute__((__nothrow__)) void* tarry_call_memset_chk(void*, int, __SIZE_TYPE__, __SIZE_TYPE__) __asm__("__memset_chk");
__attribute__((__nothrow__)) char* tarry_call_strcpy_chk(char*, const char*, __SIZE_TYPE__) __asm__("__strcpy_chk");
__attribute__((__nothrow__)) char* tarry_call_strncpy_chk(char*, const char*, __SIZE_TYPE__, __SIZE_TYPE__) __asm__("__strncpy_chk");
__attribute__((__nothrow__)) char* tarry_call_strcat_chk(char*, const char*, __SIZE_TYPE__) __asm__("__strcat_chk");
#ifdef __cplusplus
}
#endif
#define __builtin_memcpy tarry_call_memcpy
#define __builtin_memmove tarry_call_memmove
#define __builtin_memset tarry_call_memset
#define __builtin_memcmp tarry_call_memcmp
#define __builtin___memcpy_chk tarry_call_memcpy_chk
#define __builtin___memmove_chk tarry_call_memmove_chk
#define __builtin___memset_chk tarry_call_memset_chk
#define __builtin___strcpy_chk tarry_call_strcpy_chk
#define __builtin___strncpy_chk tarry_call_strncpy_chk
#define __builtin___strcat_chk tarry_call_strcat_chk
#endif
