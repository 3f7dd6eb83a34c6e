/** Claims cannot be allocated: on any node because of the claims or classes, or with `onNode` only on this node. */
export class AllocationError extends Error {
  readonly onNode: boolean;

  constructor(message: string, { onNode }: { readonly onNode: boolean } = { onNode: false }) {
    super(message);
    this.name = 'AllocationError';
    this.onNode = onNode;
  }
}
