import type { ServiceClient } from '#lib/machinery/rpc.ts';
import type { ImageServiceDefinition, RuntimeServiceDefinition } from './generated/runtime-v1.ts';

/** A container runtime: sandboxes and containers (k8s.io/cri-api, runtime.v1). Times are nanoseconds since 1970. */
export type RuntimeService = ServiceClient<RuntimeServiceDefinition>;
/** The images of a container runtime. */
export type ImageService = ServiceClient<ImageServiceDefinition>;
