/** Why claims cannot be allocated: on any node, for what they or classes say; or `onNode` alone. */
export class AllocationError extends Error {
  readonly onNode: boolean;

  constructor(message: string, { onNode }: { readonly onNode: boolean } = { onNode: false }) {
    super(message);
    this.name = 'AllocationError';
    this.onNode = onNode;
  }
}
