/**
 * Upstream's AllOrderedPlugins and whether each is enabled by default. These are upstream's defaults plus NodeRestriction, without which
 * the Node authorizer lets a node act as any account. PodGroupProtection, PodGroupWorkloadExists and JobValidation have no effect here.
 * They guard features that are alpha in 1.36 and off (GenericWorkload, WorkloadWithJob), so they have no effect upstream either.
 */
const ALL: readonly (readonly [name: string, state: 'on' | 'off'])[] = [
  ['AlwaysAdmit', 'off'],
  ['NamespaceAutoProvision', 'off'],
  ['NamespaceLifecycle', 'on'],
  ['NamespaceExists', 'off'],
  ['LimitPodHardAntiAffinityTopology', 'off'],
  ['LimitRanger', 'on'],
  ['ServiceAccount', 'on'],
  ['NodeRestriction', 'on'],
  ['TaintNodesByCondition', 'on'],
  ['AlwaysPullImages', 'off'],
  ['ImagePolicyWebhook', 'off'],
  ['PodSecurity', 'on'],
  ['PodNodeSelector', 'off'],
  ['Priority', 'on'],
  ['DefaultTolerationSeconds', 'on'],
  ['PodTolerationRestriction', 'off'],
  ['EventRateLimit', 'off'],
  ['ExtendedResourceToleration', 'off'],
  ['DefaultStorageClass', 'on'],
  ['StorageObjectInUseProtection', 'on'],
  ['PodGroupProtection', 'on'],
  ['OwnerReferencesPermissionEnforcement', 'off'],
  ['PersistentVolumeClaimResize', 'on'],
  ['RuntimeClass', 'on'],
  ['CertificateApproval', 'on'],
  ['CertificateSigning', 'on'],
  ['ClusterTrustBundleAttest', 'on'],
  ['CertificateSubjectRestriction', 'on'],
  ['DefaultIngressClass', 'on'],
  ['DenyServiceExternalIPs', 'off'],
  ['PodTopologyLabels', 'on'],
  ['PodGroupWorkloadExists', 'on'],
  ['NodeDeclaredFeatureValidator', 'on'],
  ['JobValidation', 'on'],
  ['PodResizeValidator', 'on'],
  ['MutatingAdmissionPolicy', 'on'],
  ['MutatingAdmissionWebhook', 'on'],
  ['ValidatingAdmissionPolicy', 'on'],
  ['ValidatingAdmissionWebhook', 'on'],
  ['ResourceQuota', 'on'],
  ['AlwaysDeny', 'off'],
];

/** The names of all plugins, in upstream's order. */
export const PLUGIN_NAMES: readonly string[] = ALL.map(([name]) => name);
const OFF: ReadonlySet<string> = new Set(ALL.filter(([, state]) => state === 'off').map(([name]) => name));

/** The operator's selection of plugins: `--enable-admission-plugins`, `--disable-admission-plugins`. */
export interface PluginSelection {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

/** Returns the errors of a selection, with upstream's texts. */
export function selectionErrors({ enable, disable }: PluginSelection): string[] {
  const unknown = (names: readonly string[], flag: string): string[] =>
    names.filter((name) => !PLUGIN_NAMES.includes(name)).map((name) => `${flag} plugin "${name}" is unknown`);
  const both = enable.filter((name) => disable.includes(name));
  return [
    ...unknown(enable, 'enable-admission-plugins'),
    ...unknown(disable, 'disable-admission-plugins'),
    ...(both.length === 0
      ? []
      : [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`]),
  ];
}

/** Whether a plugin is enabled. A plugin that upstream does not have is always enabled. */
export const isSelected = (name: string, { enable, disable }: PluginSelection): boolean =>
  enable.includes(name) || !(OFF.has(name) || disable.includes(name));
