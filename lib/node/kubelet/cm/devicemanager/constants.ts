/** The health of devices that can be allocated. Any other text means unhealthy. */
export const HEALTHY = 'Healthy';

/** The device plugin API version of the kubelet. */
export const VERSION = 'v1beta1';
/** All supported versions of the device plugin API. */
export const SUPPORTED_VERSIONS: readonly string[] = [VERSION];

/** The socket for the registration of plugins, in the device plugin directory. */
export const KUBELET_SOCKET = 'kubelet.sock';
/** The checkpoint file in the device plugin directory. */
export const CHECKPOINT = 'kubelet_internal_checkpoint';

/** The node number for devices without a NUMA node. */
export const NODE_WITHOUT_TOPOLOGY = -1;

/** Time in ms after which the resource of a stopped plugin is removed. */
export const STOP_GRACE = 5 * 60_000;
/** Time-out in ms for a connection to a plugin. */
export const DIAL_TIMEOUT = 10_000;
/** Time-out in ms for PreStartContainer. */
export const PRE_START_TIMEOUT = 30_000;
/** Time-out in ms for any other call of a plugin. Upstream has none, so one plugin can block every pod. */
export const CALL_TIMEOUT = 30_000;

/** Maximum number of device plugin resources on a node. */
export const MAX_RESOURCES = 256;
/** Maximum number of concurrent registrations of one resource that wait for their plugin. */
export const MAX_ATTEMPTS = 8;
/** Maximum number of devices of one resource. */
export const MAX_DEVICES = 65_536;
/** Maximum length of a device ID in characters. */
export const MAX_DEVICE_ID = 1024;
