/** What provisions in place of plugins that are no longer built in: KEP-625. */
const MIGRATED: Readonly<Record<string, string>> = {
  'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/azure-file': 'file.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/portworx-volume': 'pxd.portworx.com',
  'kubernetes.io/vsphere-volume': 'csi.vsphere.vmware.com',
};

/** The driver that took a plugin over; undefined where none did. */
export const migratedTo = (plugin: string): string | undefined =>
  Object.hasOwn(MIGRATED, plugin) ? MIGRATED[plugin] : undefined;

/** Whether a name is kept for plugins that are built in: none is, here. */
export const isBuiltIn = (plugin: string): boolean =>
  plugin.startsWith('kubernetes.io/') && migratedTo(plugin) === undefined;
