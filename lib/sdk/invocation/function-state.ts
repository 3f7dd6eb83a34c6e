/** One of the user's functions, as shown to the operator of a server. */
export interface FunctionState {
  /** The function's name, or the file's name if the file is not loaded. */
  readonly name: string;
  readonly type: 'Reconciler' | 'Webhook' | 'AggregatedAPI' | 'File';
  /** The kind that a reconciler reconciles. */
  readonly for?: { readonly apiVersion: string; readonly kind: string };
  /** The group version that an aggregated API serves. */
  readonly serves?: string;
  /** `Waiting`: for a kind that is not served. `Failed`: it does not run now. */
  readonly state: 'Running' | 'Waiting' | 'Failed';
  /** The reason why it does not run. */
  readonly message?: string;
}
