// The functions of streams of one character type. Numbers are read by numbers.cc.
#pragma once

#include <complex>
#include <fstream>
#include <iomanip>
#include <istream>
#include <ostream>
#include <sstream>
#include <string>

#define TARRY_STREAMS(Char)                                                                          \
  template class basic_ios<Char>;                                                                    \
  template class basic_streambuf<Char>;                                                              \
  template class basic_istream<Char>;                                                                \
  template class basic_ostream<Char>;                                                                \
  template class basic_iostream<Char>;                                                               \
  template class basic_stringbuf<Char>;                                                              \
  template class basic_istringstream<Char>;                                                          \
  template class basic_ostringstream<Char>;                                                          \
  template class basic_stringstream<Char>;                                                           \
  template class basic_filebuf<Char>;                                                                \
  template class basic_ifstream<Char>;                                                               \
  template class basic_ofstream<Char>;                                                               \
  template class basic_fstream<Char>;                                                                \
  template basic_ostream<Char>& endl(basic_ostream<Char>&);                                          \
  template basic_ostream<Char>& ends(basic_ostream<Char>&);                                          \
  template basic_ostream<Char>& flush(basic_ostream<Char>&);                                         \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, Char);                              \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, const Char*);                       \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, const basic_string<Char>&);         \
  template basic_ostream<Char>& __ostream_insert(basic_ostream<Char>&, const Char*, streamsize);     \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(long);                                \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(unsigned long);                       \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(bool);                                \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(long long);                           \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(unsigned long long);                  \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(double);                              \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(long double);                         \
  template basic_ostream<Char>& basic_ostream<Char>::_M_insert(const void*);                         \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, _Setfill<Char>);                    \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, _Setiosflags);                      \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, _Resetiosflags);                    \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, _Setbase);                          \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, _Setprecision);                     \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, _Setw);                             \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, const complex<float>&);             \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, const complex<double>&);            \
  template basic_ostream<Char>& operator<<(basic_ostream<Char>&, const complex<long double>&);       \
  template basic_istream<Char>& ws(basic_istream<Char>&);                                            \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, Char&);                             \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, _Setfill<Char>);                    \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, _Setiosflags);                      \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, _Resetiosflags);                    \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, _Setbase);                          \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, _Setprecision);                     \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, _Setw);                             \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, complex<float>&);                   \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, complex<double>&);                  \
  template basic_istream<Char>& operator>>(basic_istream<Char>&, complex<long double>&);             \
  template basic_istream<Char>& getline(basic_istream<Char>&, basic_string<Char>&);
