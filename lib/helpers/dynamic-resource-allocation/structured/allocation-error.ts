/**
 * The claims cannot be allocated. With `onNode`, this applies only to one node. Otherwise the claims or classes prevent allocation on any
 * node.
 */
export class AllocationError extends Error {
  readonly onNode: boolean;

  constructor(message: string, { onNode }: { readonly onNode: boolean } = { onNode: false }) {
    super(message);
    this.name = 'AllocationError';
    this.onNode = onNode;
  }
}
