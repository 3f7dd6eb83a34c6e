import type { ContainerImage, NodeStatus } from '#lib/api/types/core.v1.ts';
import type { StatusResponse, VersionResponse } from '#lib/node/cri-api/generated/runtime-v1.ts';

/** The facts about a container runtime in a Node's status. */
export interface RuntimeFacts {
  /** The handlers that a RuntimeClass can name. */
  readonly handlers: StatusResponse['runtimeHandlers'];
  /** Undefined if the runtime reports none. */
  readonly features: StatusResponse['features'];
  /** The result of `nodeImages`, or empty if the runtime cannot list images. */
  readonly images: readonly ContainerImage[];
}

/**
 * The features that pods on this node can use, in order (upstream: NodeDeclaredFeatures with 1.36's gates). ExtendWebSocketsToKubelet is
 * not one of them.
 */
const DECLARED_FEATURES = [
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'RestartAllContainersOnContainerExits',
];

/** Sets images, handlers and features in a status (upstream: the setters Images, RuntimeHandlers, NodeFeatures and DeclaredFeatures). */
export function setRuntimeInfo(status: NodeStatus, { handlers, features, images }: RuntimeFacts): void {
  if (images.length === 0) delete status.images;
  else status.images = [...images];
  if (handlers.length === 0) delete status.runtimeHandlers;
  else
    status.runtimeHandlers = handlers.map((handler) => ({
      name: handler.name,
      features: {
        recursiveReadOnlyMounts: handler.features?.recursiveReadOnlyMounts ?? false,
        userNamespaces: handler.features?.userNamespaces ?? false,
      },
    }));
  status.declaredFeatures = [...DECLARED_FEATURES];
  if (features !== undefined) status.features = { supplementalGroupsPolicy: features.supplementalGroupsPolicy };
}

/** Semantic versions keep their pre-release and build. Other versions only keep their numbers. */
const SEMANTIC = /^\s*v?(\d+\.\d+\.\d+)(-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\s*$/;
const GENERIC = /^\s*v?(\d+(?:\.\d+)+)/;

/** The runtime and its version in a Node's format: `containerd://1.6.20`. `version` is its response, or undefined without one. */
export function containerRuntimeVersion(runtimeName: string, version: VersionResponse | undefined): string {
  return `${runtimeName}://${numberOf(version?.runtimeVersion ?? '') ?? 'Unknown'}`;
}

function numberOf(text: string): string | undefined {
  const semantic = SEMANTIC.exec(text);
  if (semantic === null) return GENERIC.exec(text)?.[1];
  const [, numbers = '', preRelease = '', build = ''] = semantic;
  return numbers + preRelease + build;
}
