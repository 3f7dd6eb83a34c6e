/** A node of a document. Lines count from 0, where the node or its properties begin. */
export type Node = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** A scalar and its text, with escape sequences and folding resolved. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly value: string;
  /** In full, or `''`. */
  readonly tag: string;
  /** Whether the type follows from the text: a plain scalar without a tag. */
  readonly implicit: boolean;
}

/** A list, in flow or block style. */
export interface SequenceNode {
  readonly kind: 'sequence';
  readonly line: number;
  readonly items: Node[];
}

/** A map, in flow or block style: keys and values in document order. Keys may repeat. */
export interface MappingNode {
  readonly kind: 'mapping';
  readonly line: number;
  readonly pairs: [Node, Node][];
}

/** An alias and the node that its anchor marks. */
export interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
  readonly name: string;
  readonly target: Node;
}
