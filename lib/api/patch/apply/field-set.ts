import { hasNoField } from '#lib/machinery/json-value.ts';
import { sortElements } from './element-order.ts';
import type { PathElement } from './path-element.ts';

/**
 * A set of paths in the form of fieldsV1: a tree of steps. A node is a member if it is empty or has the field `.`. The root is not a path,
 * and an empty root is the empty set. Sets are immutable once built, and share nodes. Every field name starts with `.` or with a letter and
 * a colon, so it cannot collide with a property of the prototype.
 */
export interface FieldSet {
  readonly [element: PathElement]: FieldSet;
}

/** A set under construction, which no other code may reference. */
export interface OpenSet {
  [element: PathElement]: FieldSet;
}

/** A node that is a member and has no children. */
export const LEAF: FieldSet = Object.freeze({});
/** The empty set, as a root. */
export const EMPTY: FieldSet = Object.freeze({});
const SELF = '.';

/** Whether a node has neither children nor a membership mark. */
export const isEmpty = (node: FieldSet): boolean => hasNoField(node);

/** Whether a node other than the root belongs to the set. */
export const isMember = (node: FieldSet): boolean => node[SELF] !== undefined || isEmpty(node);

/** Whether the set has paths below this node. */
export function hasChildren(node: FieldSet): boolean {
  for (const element in node) if (element !== SELF) return true;
  return false;
}

/** Whether the path itself belongs to the set. The root does not. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node[element];
    if (node === undefined) return false;
  }
  return path.length > 0 && isMember(node);
}

/** Returns the set of the given paths. */
export function setOf(...members: readonly (readonly PathElement[])[]): FieldSet {
  const set: OpenSet = {};
  for (const path of members) insert(set, path, LEAF);
  return set;
}

/**
 * Inserts a node at a path, merging it with an existing one. The node is LEAF or new, because later calls modify it. Empty nodes on the
 * path are LEAF itself, so that a large node is not searched each time.
 */
export function insert(set: OpenSet, path: readonly PathElement[], node: FieldSet): void {
  if (path.length === 0) return;
  let here = set;
  for (let i = 0; i < path.length - 1; i++) here = descend(here, path[i] as PathElement);
  const last = path[path.length - 1] as PathElement;
  const present = here[last];
  const joined = present === undefined ? node : unionNodes(present, node);
  here[last] = isEmpty(joined) ? LEAF : joined;
}

function descend(set: OpenSet, element: PathElement): OpenSet {
  const child = set[element];
  if (child !== undefined && child !== LEAF) return child;
  const open: OpenSet = child === undefined ? {} : { [SELF]: LEAF };
  set[element] = open;
  return open;
}

/** Returns all members of both sets; `b` itself if it contains all of them. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a;
  return holdsChildren(b, a) ? b : joinChildren(a, b, {});
}

/** Returns the node at an element that the set is known to contain. */
const nodeAt = (set: FieldSet, element: string): FieldSet => set[element] as FieldSet;

/** Whether `whole` contains everything below `part`. */
function holdsChildren(whole: FieldSet, part: FieldSet): boolean {
  for (const element in part) {
    if (element === SELF) continue;
    const [node, other] = [nodeAt(part, element), whole[element]];
    if (other === undefined || (isMember(node) && !isMember(other)) || !holdsChildren(other, node)) return false;
  }
  return true;
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmpty(a)) return withSelf(b);
  if (isEmpty(b)) return withSelf(a);
  return joinChildren(a, b, a[SELF] !== undefined || b[SELF] !== undefined ? { [SELF]: LEAF } : {});
}

/** Returns the node as a member. */
export const withSelf = (node: FieldSet): FieldSet => (isMember(node) ? node : { [SELF]: LEAF, ...node });

function joinChildren(a: FieldSet, b: FieldSet, out: OpenSet): FieldSet {
  for (const element in a) {
    if (element === SELF) continue;
    const other = b[element];
    out[element] = other === undefined ? nodeAt(a, element) : unionNodes(nodeAt(a, element), other);
  }
  for (const element in b) if (element !== SELF && a[element] === undefined) out[element] = nodeAt(b, element);
  return out;
}

/** Returns the paths that belong to both sets. */
export const intersection = (a: FieldSet, b: FieldSet): FieldSet => commonChildren(a, b) ?? EMPTY;

function commonNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const children = commonChildren(a, b);
  if (children === undefined) return isMember(a) && isMember(b) ? LEAF : undefined;
  // A node with children is a member only if it has that field. Testing a large node for emptiness would be slow.
  if (a[SELF] !== undefined && b[SELF] !== undefined) children[SELF] = LEAF;
  return children;
}

function commonChildren(a: FieldSet, b: FieldSet): OpenSet | undefined {
  let out: OpenSet | undefined;
  for (const element in a) {
    const other = element === SELF ? undefined : b[element];
    const common = other && commonNodes(nodeAt(a, element), other);
    if (common !== undefined) (out ??= {})[element] = common;
  }
  return out;
}

/** Returns the members of `a` that are not members of `b`. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet => without(a, b, differenceOfNodes) ?? EMPTY;

/** Like `difference`, but also removes everything below a member of `b`. */
export const recursiveDifference = (a: FieldSet, b: FieldSet): FieldSet => without(a, b, recursiveOfNodes) ?? EMPTY;

type NodeDifference = (a: FieldSet, b: FieldSet) => FieldSet | undefined;

function differenceOfNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const children = a === LEAF ? undefined : without(a, b, differenceOfNodes);
  if (children === undefined) return isMember(a) && !isMember(b) ? LEAF : undefined;
  if (a[SELF] === undefined) return children;
  const self = !isMember(b);
  if (self === (children[SELF] !== undefined)) return children;
  return self ? { [SELF]: LEAF, ...children } : withoutSelf(children);
}

function recursiveOfNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isMember(b)) return undefined;
  if (!hasChildren(a)) return a;
  const children = without(a, b, recursiveOfNodes);
  if (children === undefined) return a[SELF] === undefined ? undefined : LEAF;
  return a[SELF] === undefined ? children : withSelf(children);
}

function withoutSelf(node: FieldSet): FieldSet {
  const { [SELF]: _, ...children } = node;
  return children;
}

/** Returns the children of `a` without those of `b`; `a` itself if nothing is removed, undefined if nothing remains. */
function without(a: FieldSet, b: FieldSet, less: NodeDifference): FieldSet | undefined {
  const out: OpenSet = {};
  let [changed, some] = [false, false];
  for (const element in a) {
    if (element === SELF) continue;
    const node = nodeAt(a, element);
    const other = b[element];
    const rest = other === undefined ? node : less(node, other);
    if (rest !== node) changed = true;
    if (rest === undefined) continue;
    out[element] = rest;
    some = true;
  }
  return changed ? (some ? out : undefined) : some ? a : undefined;
}

/** Whether two sets have the same paths. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  let size = 0;
  for (const element in a) {
    const other = b[element];
    if (other === undefined || !equalSets(nodeAt(a, element), other)) return false;
    size++;
  }
  for (const _ in b) size--;
  return size === 0;
}

/** Returns the steps of a node in upstream's order. */
export function sortedElements(node: FieldSet): PathElement[] {
  return sortElements(Object.keys(node).filter((element) => element !== SELF));
}

/** Returns all paths in upstream's order: at each node its members first, then everything below them. */
export function paths(set: FieldSet, prefix: readonly PathElement[] = []): PathElement[][] {
  const elements = sortedElements(set);
  const members = elements.filter((element) => isMember(nodeAt(set, element)));
  const own = members.map((element) => [...prefix, element]);
  return own.concat(elements.flatMap((element) => paths(nodeAt(set, element), [...prefix, element])));
}
