/** The health of a device that pods may get. Any other text is unhealthy. */
export const HEALTHY = 'Healthy';

/** The version of the device plugin API that the kubelet speaks. */
export const VERSION = 'v1beta1';
/** Every version of the device plugin API that the kubelet speaks. */
export const SUPPORTED_VERSIONS: readonly string[] = [VERSION];

/** The socket at which plugins register, in the folder of device plugins. */
export const KUBELET_SOCKET = 'kubelet.sock';
/** The file of the checkpoint, in the folder of device plugins. */
export const CHECKPOINT = 'kubelet_internal_checkpoint';

/** The node of devices that belong to no NUMA node. */
export const NODE_WITHOUT_TOPOLOGY = -1;

/** Milliseconds that the resource of a plugin that ended stays known. */
export const STOP_GRACE = 5 * 60_000;
/** Milliseconds for a connection to a plugin. */
export const DIAL_TIMEOUT = 10_000;
/** Milliseconds for PreStartContainer. */
export const PRE_START_TIMEOUT = 30_000;
/** Milliseconds for any other call of a plugin. Upstream waits without end, so that one plugin holds up every pod. */
export const CALL_TIMEOUT = 30_000;

/** Resources of device plugins on one node. */
export const MAX_RESOURCES = 256;
/** Registrations of one resource that wait for their plugin at once. */
export const MAX_ATTEMPTS = 8;
/** Devices of one resource. */
export const MAX_DEVICES = 65_536;
/** Characters of a device's ID. */
export const MAX_DEVICE_ID = 1024;
