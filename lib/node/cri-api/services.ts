import type { ServiceClient } from '#lib/machinery/rpc.ts';
import type { ImageServiceDefinition, RuntimeServiceDefinition } from './generated/runtime-v1.ts';

/** The client of a container runtime: sandboxes and containers (k8s.io/cri-api, runtime.v1). Times are in nanoseconds since 1970. */
export type RuntimeService = ServiceClient<RuntimeServiceDefinition>;
/** The client for a container runtime's images. */
export type ImageService = ServiceClient<ImageServiceDefinition>;
