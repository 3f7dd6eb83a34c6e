/**
 * Upstream's PodValidationOptions: the faults that an update may keep because the stored object has them already, of rules that became
 * stricter and of features that are off by default. All are false on create, except `resourceIsPod`, which is true where the spec is a
 * pod's and no template's.
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
