/** What a document is made of. Lines are from 0, where the node or its properties begin. */
export type Node = ScalarNode | SequenceNode | MappingNode | AliasNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly value: string;
  /** In full, or `''`. */
  readonly tag: string;
  /** What it means is for its text to say. */
  readonly implicit: boolean;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly line: number;
  readonly items: Node[];
}

export interface MappingNode {
  readonly kind: 'mapping';
  readonly line: number;
  readonly pairs: [Node, Node][];
}

export interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
  readonly name: string;
  readonly target: Node;
}
