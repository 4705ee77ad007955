// std::list: its nodes form a ring in which the list's own node comes before the first.
#include <list>
#include <utility>

namespace std::__detail {

void _List_node_base::_M_hook(_List_node_base* const position) noexcept {
  _M_next = position;
  _M_prev = position->_M_prev;
  position->_M_prev->_M_next = this;
  position->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept {
  _M_prev->_M_next = _M_next;
  _M_next->_M_prev = _M_prev;
}

/// Moves the nodes from `first` to before `last` in front of this one.
void _List_node_base::_M_transfer(_List_node_base* const first, _List_node_base* const last) noexcept {
  if (this == last) return;
  _List_node_base* const end = last->_M_prev;
  first->_M_prev->_M_next = last;
  last->_M_prev = first->_M_prev;
  _M_prev->_M_next = first;
  first->_M_prev = _M_prev;
  end->_M_next = this;
  _M_prev = end;
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base* node = this;
  do {
    std::swap(node->_M_next, node->_M_prev);
    node = node->_M_prev;
  } while (node != this);
}

void _List_node_base::swap(_List_node_base& a, _List_node_base& b) noexcept {
  const bool a_empty = a._M_next == &a, b_empty = b._M_next == &b;
  std::swap(a._M_next, b._M_next);
  std::swap(a._M_prev, b._M_prev);
  const auto settle = [](_List_node_base& node, bool empty) {
    if (empty) node._M_next = node._M_prev = &node;
    else node._M_next->_M_prev = node._M_prev->_M_next = &node;
  };
  settle(a, b_empty);
  settle(b, a_empty);
}

}  // namespace std::__detail
