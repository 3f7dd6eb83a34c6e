/**
 * Upstream's PodValidationOptions: errors that an update may keep because the stored object already has them. They come from rules that
 * became stricter and from features that are off by default. All options are false on create, except `resourceIsPod`, which is true for the
 * spec of a pod and false for a template.
 */
export interface PodValidationOptions {
  readonly resourceIsPod: boolean;
  readonly allowInvalidDeletionCost: boolean;
  readonly allowIndivisibleHugePages: boolean;
  readonly allowInvalidSelectorValues: boolean;
  readonly allowInvalidNodeAffinityValues: boolean;
  readonly allowInvalidSpreadSelector: boolean;
  readonly legacyMatchLabelKeys: boolean;
  readonly allowNonLocalTokenPath: boolean;
  readonly allowNamespacedSysctls: boolean;
  readonly allowAnySELinuxChangePolicy: boolean;
  readonly allowComparisonTolerations: boolean;
  readonly allowUserNamespacesWithDevices: boolean;
  readonly allowUserNamespacesHostNetwork: boolean;
  readonly allowRestartContainerForInit: boolean;
}
