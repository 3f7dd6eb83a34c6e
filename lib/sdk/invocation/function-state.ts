/** One function of the user's, as whoever operates a server sees it. */
export interface FunctionState {
  /** Of a file that is not loaded: the file's. */
  readonly name: string;
  readonly type: 'Reconciler' | 'Webhook' | 'AggregatedAPI' | 'File';
  /** The kind that a reconciler reconciles. */
  readonly for?: { readonly apiVersion: string; readonly kind: string };
  /** The group version that an aggregated API serves. */
  readonly serves?: string;
  /** `Waiting`: for a kind that is not served. `Failed`: it does not run now. */
  readonly state: 'Running' | 'Waiting' | 'Failed';
  /** Why it does not run. */
  readonly message?: string;
}
