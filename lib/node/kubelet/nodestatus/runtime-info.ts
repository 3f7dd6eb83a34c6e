import type { ContainerImage, NodeStatus } from '#lib/api/types/core.v1.ts';
import type { StatusResponse, VersionResponse } from '#lib/node/cri-api/generated/runtime-v1.ts';

/** The facts of a container runtime that a Node shows. */
export interface RuntimeFacts {
  /** The handlers that pods can ask for by their runtime class. */
  readonly handlers: StatusResponse['runtimeHandlers'];
  /** Undefined where the runtime tells none. */
  readonly features: StatusResponse['features'];
  /** As `nodeImages` gives them; none where the runtime does not list them. */
  readonly images: readonly ContainerImage[];
}

/**
 * The features that pods of this node can use, in order (upstream: NodeDeclaredFeatures with 1.36's gates). ExtendWebSocketsToKubelet is not
 * among them.
 */
const DECLARED_FEATURES = [
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'RestartAllContainersOnContainerExits',
];

/** Writes images, handlers and features into a status: upstream's setters Images, RuntimeHandlers, NodeFeatures and DeclaredFeatures. */
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

/** Semantic versions: the pre-release and the build are shown. Of all others the numbers alone are. */
const SEMANTIC = /^\s*v?(\d+\.\d+\.\d+)(-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\s*$/;
const GENERIC = /^\s*v?(\d+(?:\.\d+)+)/;

/** The runtime and its version as a Node shows them: `containerd://1.6.20`. `version`: its answer; undefined where it gave none. */
export function containerRuntimeVersion(runtimeName: string, version: VersionResponse | undefined): string {
  return `${runtimeName}://${numberOf(version?.runtimeVersion ?? '') ?? 'Unknown'}`;
}

function numberOf(text: string): string | undefined {
  const semantic = SEMANTIC.exec(text);
  if (semantic === null) return GENERIC.exec(text)?.[1];
  const [, numbers = '', preRelease = '', build = ''] = semantic;
  return numbers + preRelease + build;
}
