/** A node of a document. `line` counts from 0 and marks the start of the node or of its properties. */
export type Node = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** A scalar with its text after resolving escapes and folding. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly value: string;
  /** The full tag, or `''`. */
  readonly tag: string;
  /** Whether the text determines the type: a plain scalar without a tag. */
  readonly implicit: boolean;
}

/** A list, in flow or block style. */
export interface SequenceNode {
  readonly kind: 'sequence';
  readonly line: number;
  readonly items: Node[];
}

/** A map in flow or block style, with keys and values in document order. Keys may repeat. */
export interface MappingNode {
  readonly kind: 'mapping';
  readonly line: number;
  readonly pairs: [Node, Node][];
}

/** An alias with the node of its anchor. */
export interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
  readonly name: string;
  readonly target: Node;
}
