/** The state of one of the user's functions, for the operator of a server. */
export interface FunctionState {
  /** The function's name, or the file's name if the file is not loaded. */
  readonly name: string;
  readonly type: 'Reconciler' | 'Webhook' | 'AggregatedAPI' | 'File';
  /** The kind that a reconciler reconciles. */
  readonly for?: { readonly apiVersion: string; readonly kind: string };
  /** The group version that an aggregated API serves. */
  readonly serves?: string;
  /** `Waiting`: its kind is not served. `Failed`: it does not run now. */
  readonly state: 'Running' | 'Waiting' | 'Failed';
  /** The reason why the function does not run. */
  readonly message?: string;
}
