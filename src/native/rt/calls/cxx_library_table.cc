#include "native/rt/calls/cxx_library_table.h"

namespace tarry::native::rt {
namespace {

/// Symbols with one effect, separated by blanks. '*' in a symbol stands for any text. The first that fits counts.
struct CxxGroup {
  const char* effect;
  const char* symbols;
};

/// Facets of locales: the functions that programs call, and the virtual ones behind them, which tables of libstdc++ lead to. An iterator is two words: the buffer, and a
/// character. What is written to a buffer is seen, as that calls sputn; what is read from it is not. A facet itself is constant, apart from caches.
constexpr CxxGroup kFacets[] = {
    // ctype: from, to, where to
    {"-@", "_ZNKSt5ctypeI*10do_toupperEP* _ZNKSt5ctypeI*10do_tolowerEP* _ZNKSt5ctypeI*8do_widenEP* _ZNKSt5ctypeI*9do_narrowEP* _ZNKSt5ctypeI*5do_isEP*"},
    {"--[", "_ZNKSt5ctypeI*10do_scan_isE* _ZNKSt5ctypeI*11do_scan_notE*"},
    {"", "_ZNKSt5ctypeI* _ZNKSt21__ctype_abstract_baseI*"},
    // collate: two texts; transform returns a string
    {"-[-[", "_ZNKSt*collateI*compareEP*"},
    {"--[", "_ZNKSt*collateI*transformEP*"},
    {"-[", "_ZNKSt*collateI*hashEP*"},
    // num_get: two iterators, the stream, the state, the target
    {"-?---->4>1", "_ZNKSt7num_getI*getE*Rb"},
    {"-?---->4>2", "_ZNKSt7num_getI*getE*Rt"},
    {"-?---->4>4", "_ZNKSt7num_getI*getE*Rj _ZNKSt7num_getI*getE*Rf"},
    {"-?---->4>16", "_ZNKSt7num_getI*getE*Re"},
    {"-?---->4>8", "_ZNKSt7num_getI*getE*"},
    // num_put: an iterator, the stream, a character, the number
    {"", "_ZNKSt7num_putI*"},
    // money_get and money_put: one word more, whether the format is international; the target is a number or a string
    {"-?-----?>16", "_ZNKSt*money_getI*getE*Re"},
    {"-?-----??", "_ZNKSt*money_getI*getE*"},
    {"", "_ZNKSt*money_putI*putE*e"},
    {"------?", "_ZNKSt*money_putI*putE*"},
    // time_get: as num_get, with formats; time_put: with a range of characters, whose conversions call strftime
    {"", "_ZNKSt*time_getI*date_orderEv"},
    {"-?----??[", "_ZNKSt*time_getI*3getE*PKcS* _ZNKSt*time_getI*3getE*PKwS*"},
    {"-?----??", "_ZNKSt*time_getI*get*"},
    {"------[", "_ZNKSt8time_putI*3putE*PKcS* _ZNKSt8time_putI*3putE*PKwS*"},
    {"", "_ZNKSt8time_putI*"},
    // codecvt: the state, from, its end, how far, to, its end, how far
    {"", "_ZNKSt*codecvt*encodingEv _ZNKSt*codecvt*max_lengthEv _ZNKSt*codecvt*always_noconvEv"},
    {"-????", "_ZNKSt*codecvt*unshiftE*"},
    {"-??", "_ZNKSt*codecvt*lengthE*"},
    {"-?" "?-????", "_ZNKSt*codecvt*inE* _ZNKSt*codecvt*outE*"},
    // messages: a name; numbers and a text
    {"-??", "_ZNKSt*messagesI*openE*"},
    {"-----?", "_ZNKSt*messagesI*getE*"},
    {"", "_ZNKSt*messagesI*closeEi _ZNKSt*numpunctI* _ZNKSt*moneypunctI*"},
    // constructors and destructors
    {"", "_ZNSt5ctypeI* _ZNSt*codecvt*I* _ZNSt*collateI* _ZNSt*numpunctI* _ZNSt*moneypunctI* _ZNSt*num_getI* _ZNSt*num_putI* _ZNSt*money_getI* _ZNSt*money_putI* _ZNSt*time_getI* _ZNSt*time_putI* _ZNSt*messagesI*"},
};

constexpr CxxGroup kCxxGroups[] = {
    // ---------------------------------------------------------------- libstdc++
    // Memory comes from malloc. Exceptions, casts, types.
    {"<8", "__dynamic_cast"},  // the pointer to the table of virtual functions, which constructors and destructors write
    {"", "_ZNSaI* _ZNKSaI* _ZN9__gnu_cxx13new_allocatorI* _Znw* _Zna* _ZdlPv* _ZdaPv* __cxa_* __gxx_personality_v0 __once_proxy _ZNSt9type_info* _ZNKSt9type_info* _ZN10__cxxabiv1* _ZNK10__cxxabiv1* _ZSt9terminatev _ZSt10unexpectedv "
         "_ZSt18uncaught_exceptionv _ZSt19uncaught_exceptionsv _ZSt13get_terminatev _ZSt14get_unexpectedv _ZSt15get_new_handlerv _ZSt13set_terminate* _ZSt14set_unexpected* _ZSt15set_new_handler*"},
    {">16<16", "_ZNSt13runtime_erroraSERKS_ _ZNSt11logic_erroraSERKS_"},
    {"<16", "_ZNKSt13runtime_error4whatEv _ZNKSt11logic_error4whatEv"},
    // What constructors and destructors of exceptions access is not shared then: the counts of their texts are atomic, and those of the exceptions order the last use.
    {"", "_ZNSt9exception* _ZNKSt9exception* _ZNSt9bad_alloc* _ZNKSt9bad_alloc* _ZNSt8bad_cast* _ZNKSt8bad_cast* _ZNSt10bad_typeid* _ZNKSt10bad_typeid* _ZNSt13bad_exception* _ZNKSt13bad_exception* "
         "_ZNSt17bad_function_call* _ZNKSt17bad_function_call* _ZNSt12bad_weak_ptr* _ZNKSt12bad_weak_ptr* _ZNSt20bad_array_new_length* _ZNKSt20bad_array_new_length* _ZNSt11logic_error* _ZNSt13runtime_error* "
         "_ZNSt12domain_error* _ZNSt16invalid_argument* _ZNSt12length_error* _ZNSt12out_of_range* _ZNSt11range_error* _ZNSt14overflow_error* _ZNSt15underflow_error* _ZNSt12system_error* "
         "_ZNSt12future_error* _ZNKSt12future_error* _ZNSt11regex_error* _ZNSt16nested_exception* _ZNKSt16nested_exception* _ZNSt10lock_error* _ZNSt8ios_base7failure* _ZNKSt8ios_base7failure*"},
    {">8<8", "_ZNSt15__exception_ptr13exception_ptrC1ERKS0_ _ZNSt15__exception_ptr13exception_ptrC2ERKS0_ _ZNSt15__exception_ptr13exception_ptraSERKS0_"},
    {">8>8", "_ZNSt15__exception_ptr13exception_ptr4swapERS0_"},
    {"<8<8", "_ZNSt15__exception_ptreqERKNS_13exception_ptrES2_ _ZNSt15__exception_ptrneERKNS_13exception_ptrES2_"},
    {"", "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv _ZSt17current_exceptionv"},
    {"<8", "_ZSt17rethrow_exception* _ZNKSt15__exception_ptr13exception_ptr* _ZNSt15__exception_ptr13exception_ptrD1Ev _ZNSt15__exception_ptr13exception_ptrD2Ev"},
    {">8", "_ZNSt15__exception_ptr13exception_ptrC*"},
    // Threads: what they share is behind functions of pthreads and futexes, which the runtime has. libtarry_cxx.so has join and detach.
    {"", "_ZNSt18condition_variable* _ZNSt22condition_variable_any* _ZSt25notify_all_at_thread_exit* _ZNSt6thread* _ZNSt11this_thread* _ZNSt13__future_base* _ZNKSt13__future_base* _ZSt15future_categoryv "
         "_ZNSt28__atomic_futex_unsigned_base* _ZNSt11_Sp_locker*"},
    // Clocks, categories of errors.
    {"", "_ZNSt6chrono* _ZSt15system_categoryv _ZSt16generic_categoryv _ZSt20iostream_category* _ZNSt3_V2* _ZNKSt3_V2* _ZNSt14error_category* _ZNKSt14error_category*"},
    // Locales: an object is a pointer, and what it points to is counted by atomics. std::locale::global is told elsewhere.
    {">8<8", "_ZNSt6localeC1ERKS_ _ZNSt6localeC2ERKS_ _ZNSt6localeaSERKS_"},
    {">8", "_ZNSt6localeC1Ev _ZNSt6localeC2Ev"},
    {"<8", "_ZNSt6localeD1Ev _ZNSt6localeD2Ev _ZSt9use_facet* _ZSt9has_facet*"},
    {"<8<8", "_ZNKSt6localeeqERKS_"},
    {"-<8", "_ZNKSt6locale4name*"},
    {"", "_ZNSt6locale7classicEv _ZNKSt6locale2id5_M_idEv _ZNSt6locale6globalERKS_ _ZNSt6locale5facet* _ZNSt8ios_base4Init*"},
    // Streams: what is not in libtarry_cxx.so. An open file is one pointer, behind which is a stream of C.
    {"@", "_ZNSt12__basic_fileIcE4openEPKc* _ZNSt12__basic_fileIcE5closeEv _ZNSt12__basic_fileIcED1Ev _ZNSt12__basic_fileIcED2Ev"},
    {">9", "_ZNSt12__basic_fileIcEC* _ZNSt12__basic_fileIcE8sys_open*"},
    {"<8", "_ZNSt12__basic_fileIcE* _ZNKSt12__basic_fileIcE*"},
    {"", "_ZNSt8ios_baseC1Ev _ZNSt8ios_baseC2Ev _ZNSt8ios_baseD1Ev _ZNSt8ios_baseD2Ev"},  // the program's own constructors and destructors are around them
    {">216>216", "_ZNSt8ios_base7_M_swapERS_ _ZNSt8ios_base7_M_moveERS_"},
    // Containers.
    {"", "_ZNSaI*"},  // allocators, which are empty
    {"r1", "_ZSt11_Hash_bytesPKvmm _ZSt15_Fnv_hash_bytesPKvmm"},
    {">16", "_ZNKSt8__detail20_Prime_rehash_policy*"},
    // Paths of files: every change writes the object, and every use reads it. Some return another path.
    {"", "_ZNKSt10filesystem7__cxx114path5_List13_Impl_deleter* _ZNSt10filesystem7__cxx114path9_S_convert*"},
    {"<8", "_ZNKSt10filesystem7__cxx114path5_List*"},
    {">8<8", "_ZNSt10filesystem7__cxx114path5_ListC1ERKS2_"},
    {">8", "_ZNSt10filesystem7__cxx114path5_List*"},
    {"<40<40", "_ZNKSt10filesystem7__cxx114path7compareERKS1_"},
    {"<40", "_ZNKSt10filesystem7__cxx114path7compare* _ZNKSt10filesystem7__cxx114path12has_filenameEv _ZNKSt10filesystem7__cxx114path13has_root_nameEv _ZNKSt10filesystem7__cxx114path13has_root_pathEv "
            "_ZNKSt10filesystem7__cxx114path15has_parent_pathEv _ZNKSt10filesystem7__cxx114path17has_relative_pathEv _ZNKSt10filesystem7__cxx114path18has_root_directoryEv "
            "_ZNKSt10filesystem7__cxx114path17_M_find_extensionEv"},
    {">40<40<40", "_ZNKSt10filesystem7__cxx114path18lexically_relativeERKS1_ _ZNKSt10filesystem7__cxx114path19lexically_proximateERKS1_"},
    {">40<40", "_ZNKSt10filesystem7__cxx114path* _ZNSt10filesystem7__cxx114pathaSERKS1_ _ZNSt10filesystem7__cxx114pathdVERKS1_ _ZNSt10filesystem7__cxx114pathpLERKS1_ "
               "_ZNSt10filesystem7__cxx114path16replace_filenameERKS1_ _ZNSt10filesystem7__cxx114path17replace_extensionERKS1_"},
    {">40", "_ZNSt10filesystem7__cxx114path*"},
    // Resources of memory.
    {"", "_ZNSt3pmr26synchronized_pool_resource* _ZNSt3pmr15memory_resource* _ZNSt3pmr19new_delete_resourceEv _ZNSt3pmr20* _ZNSt3pmr28unsynchronized_pool_resourceC* _ZNSt3pmr28unsynchronized_pool_resourceD* "
         "_ZNSt3pmr25monotonic_buffer_resourceD*"},
    {">8", "_ZNSt3pmr25monotonic_buffer_resource* _ZNSt3pmr28unsynchronized_pool_resource*"},

    // ---------------------------------------------------------------- libc++
    {"<8", "_ZNSt3__16thread4joinEv"},
    {">8", "_ZNSt3__16thread6detachEv"},
    {"", "_ZNSt3__15mutex* _ZNSt3__115recursive_mutex* _ZNSt3__111timed_mutex* _ZNSt3__121recursive_timed_mutex* _ZNSt3__118condition_variable* _ZNSt3__119__shared_mutex_base* "
         "_ZNSt3__118shared_timed_mutex* _ZNSt3__125notify_all_at_thread_exit* _ZNSt3__16thread* _ZNSt3__111this_thread* _ZNSt3__115__thread_struct* _ZNSt3__119__thread_local_dataEv _ZNSt3__111__call_once* "
         "_ZNSt3__117__assoc_sub_state* _ZNKSt3__117__assoc_sub_state* _ZNSt3__17promiseIvE* _ZNSt3__16futureIvE* _ZNSt3__113shared_futureIvE* _ZNSt3__114__shared_count* _ZNSt3__119__shared_weak_count* "
         "_ZNKSt3__119__shared_weak_count* _ZNSt3__120__libcpp_atomic* _ZNSt3__123__libcpp_atomic* _ZNSt3__123__cxx_atomic* _ZNSt3__113random_device*"},
    {"", "_ZNSt3__16chrono* _ZNSt3__115system_categoryEv _ZNSt3__116generic_categoryEv _ZNSt3__115future_categoryEv _ZNSt3__114error_category* _ZNKSt3__114error_category* _ZNSt3__112system_error* "
         "_ZNSt3__112future_error* _ZNSt3__112__next_primeEm _ZNSt3__18ios_base4Init* _ZNSt3__16locale7classicEv"},
    {">8<8", "_ZNSt13exception_ptrC1ERKS_ _ZNSt13exception_ptrC2ERKS_ _ZNSt13exception_ptraSERKS_"},
    {"<8", "_ZNSt13exception_ptrD1Ev _ZNSt13exception_ptrD2Ev"},
};

bool fits(std::string_view symbol, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return symbol == pattern;
  if (!symbol.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  if (rest.empty()) return true;
  for (std::size_t at = star; at < symbol.size(); ++at)
    if (fits(symbol.substr(at), rest)) return true;
  return false;
}

/// The effect of the first group that has the symbol, or nullptr.
template <std::size_t N>
const char* effect_in(const CxxGroup (&groups)[N], std::string_view symbol) {
  for (const CxxGroup& group : groups) {
    std::string_view rest = group.symbols;
    while (!rest.empty()) {
      const std::size_t end = rest.find(' ') < rest.size() ? rest.find(' ') : rest.size();
      if (end > 0 && fits(symbol, rest.substr(0, end))) return group.effect;
      rest.remove_prefix(end < rest.size() ? end + 1 : end);
    }
  }
  return nullptr;
}

}  // namespace

const char* effect_of_cxx(std::string_view symbol) {
  if (symbol.find("__throw_") != std::string_view::npos) return "";  // std::__throw_length_error and its relatives: they take constants
  if (const char* const effect = effect_in(kFacets, symbol); effect != nullptr) return effect;
  if (const char* const effect = effect_in(kCxxGroups, symbol); effect != nullptr) return effect;
  return "*";
}

const char* effect_of_virtual(std::string_view symbol) {
  if (const char* const effect = effect_in(kFacets, symbol); effect != nullptr) return effect[0] == '\0' ? nullptr : effect;
  const bool counts = symbol.starts_with("_ZNSt3pmr28unsynchronized_pool_resource1") || symbol == "_ZNKSt13runtime_error4whatEv" || symbol == "_ZNKSt11logic_error4whatEv";
  return counts ? effect_of_cxx(symbol) : nullptr;
}

}  // namespace tarry::native::rt
