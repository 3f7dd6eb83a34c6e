/** Claims cannot be allocated: on no node, because of the claims or classes themselves; or `onNode` alone. */
export class AllocationError extends Error {
  readonly onNode: boolean;

  constructor(message: string, { onNode }: { readonly onNode: boolean } = { onNode: false }) {
    super(message);
    this.name = 'AllocationError';
    this.onNode = onNode;
  }
}
