// std::map and std::set: red-black trees. The parent of the header is the root, its left and right are the first and the last
// node, and it is red. The parent of the root is the header. (Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms,
// chapter 13.)
#include <map>

namespace std {
namespace {

using Node = _Rb_tree_node_base;

bool is_black(const Node* node) { return node == nullptr || node->_M_color == _S_black; }
bool is_header(const Node* node) { return node->_M_color == _S_red && node->_M_parent != nullptr && node->_M_parent->_M_parent == node; }

/// Redirects the pointer to `node` to `other`.
void replace_below(Node* node, Node* other, Node*& root) {
  Node* const parent = node->_M_parent;
  if (node == root) root = other;
  else if (node == parent->_M_left) parent->_M_left = other;
  else parent->_M_right = other;
}

void rotate(Node* node, Node* Node::*left, Node* Node::*right, Node*& root) {
  Node* const up = node->*right;
  node->*right = up->*left;
  if (up->*left != nullptr) (up->*left)->_M_parent = node;
  up->_M_parent = node->_M_parent;
  replace_below(node, up, root);
  up->*left = node;
  node->_M_parent = up;
}
void rotate_left(Node* node, Node*& root) { rotate(node, &Node::_M_left, &Node::_M_right, root); }
void rotate_right(Node* node, Node*& root) { rotate(node, &Node::_M_right, &Node::_M_left, root); }

void balance_after_insertion(Node* node, Node*& root) {
  while (node != root && node->_M_parent->_M_color == _S_red) {
    Node* const parent = node->_M_parent;
    Node* const above = parent->_M_parent;
    const bool on_left = parent == above->_M_left;
    Node* const uncle = on_left ? above->_M_right : above->_M_left;
    if (!is_black(uncle)) {
      parent->_M_color = uncle->_M_color = _S_black;
      above->_M_color = _S_red;
      node = above;
      continue;
    }
    if (node == (on_left ? parent->_M_right : parent->_M_left)) {
      node = parent;
      if (on_left) rotate_left(node, root);
      else rotate_right(node, root);
    }
    node->_M_parent->_M_color = _S_black;
    above->_M_color = _S_red;
    if (on_left) rotate_right(above, root);
    else rotate_left(above, root);
  }
  root->_M_color = _S_black;
}

/// Rebalances the tree: `node`, which may be nullptr, lacks a black node on its path; `parent` is above it.
void balance_after_removal(Node* node, Node* parent, Node*& root) {
  while (node != root && is_black(node)) {
    const bool on_left = node == parent->_M_left;
    const auto turn = [&](Node* at, bool to_left) { to_left ? rotate_left(at, root) : rotate_right(at, root); };
    const auto near = on_left ? &Node::_M_left : &Node::_M_right, far = on_left ? &Node::_M_right : &Node::_M_left;
    Node* sibling = parent->*far;
    if (sibling->_M_color == _S_red) {
      sibling->_M_color = _S_black;
      parent->_M_color = _S_red;
      turn(parent, on_left);
      sibling = parent->*far;
    }
    if (is_black(sibling->*near) && is_black(sibling->*far)) {
      sibling->_M_color = _S_red;
      node = parent;
      parent = parent->_M_parent;
      continue;
    }
    if (is_black(sibling->*far)) {
      (sibling->*near)->_M_color = _S_black;
      sibling->_M_color = _S_red;
      turn(sibling, !on_left);
      sibling = parent->*far;
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = _S_black;
    (sibling->*far)->_M_color = _S_black;
    turn(parent, on_left);
    break;
  }
  if (node != nullptr) node->_M_color = _S_black;
}

Node* next(Node* node) {
  if (node->_M_right != nullptr) return Node::_S_minimum(node->_M_right);
  Node* above = node->_M_parent;
  while (node == above->_M_right) {
    node = above;
    above = above->_M_parent;
  }
  return node->_M_right == above ? node : above;  // from the last node, the root, to the header: the two point at each other
}

Node* previous(Node* node) {
  if (is_header(node)) return node->_M_right;
  if (node->_M_left != nullptr) return Node::_S_maximum(node->_M_left);
  Node* above = node->_M_parent;
  while (node == above->_M_left) {
    node = above;
    above = above->_M_parent;
  }
  return above;
}

}  // namespace

Node* _Rb_tree_increment(Node* node) throw() { return next(node); }
const Node* _Rb_tree_increment(const Node* node) throw() { return next(const_cast<Node*>(node)); }
Node* _Rb_tree_decrement(Node* node) throw() { return previous(node); }
const Node* _Rb_tree_decrement(const Node* node) throw() { return previous(const_cast<Node*>(node)); }

void _Rb_tree_insert_and_rebalance(const bool left, Node* node, Node* parent, Node& header) throw() {
  node->_M_parent = parent;
  node->_M_left = node->_M_right = nullptr;
  node->_M_color = _S_red;
  if (left) {
    parent->_M_left = node;  // for the header, this is the first node
    if (parent == &header) header._M_parent = header._M_right = node;
    else if (parent == header._M_left) header._M_left = node;
  } else {
    parent->_M_right = node;
    if (parent == header._M_right) header._M_right = node;
  }
  balance_after_insertion(node, header._M_parent);
}

Node* _Rb_tree_rebalance_for_erase(Node* const node, Node& header) throw() {
  Node*& root = header._M_parent;
  if (header._M_left == node) header._M_left = node->_M_right == nullptr ? node->_M_parent : Node::_S_minimum(node->_M_right);
  if (header._M_right == node) header._M_right = node->_M_left == nullptr ? node->_M_parent : Node::_S_maximum(node->_M_left);
  _Rb_tree_color lost = node->_M_color;
  Node* moved;   // replaces a removed node
  Node* parent;  // its new parent
  if (node->_M_left == nullptr || node->_M_right == nullptr) {
    moved = node->_M_left == nullptr ? node->_M_right : node->_M_left;
    parent = node->_M_parent;
    if (moved != nullptr) moved->_M_parent = parent;
    replace_below(node, moved, root);
  } else {
    Node* const heir = Node::_S_minimum(node->_M_right);
    lost = heir->_M_color;
    moved = heir->_M_right;
    if (heir->_M_parent == node) {
      parent = heir;
    } else {
      parent = heir->_M_parent;
      if (moved != nullptr) moved->_M_parent = parent;
      parent->_M_left = moved;
      heir->_M_right = node->_M_right;
      heir->_M_right->_M_parent = heir;
    }
    replace_below(node, heir, root);
    heir->_M_parent = node->_M_parent;
    heir->_M_left = node->_M_left;
    heir->_M_left->_M_parent = heir;
    heir->_M_color = node->_M_color;
  }
  if (lost == _S_black) balance_after_removal(moved, parent, root);
  return node;
}

}  // namespace std
