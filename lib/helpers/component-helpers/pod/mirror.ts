import type { Pod } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';

/**
 * The annotation of mirror pods, which represent static pods in the API. Its value is the hash of the static pod (upstream:
 * MirrorPodAnnotationKey).
 */
export const MIRROR_POD = 'kubernetes.io/config.mirror';

/** Whether the pod represents a static pod in the API (upstream: IsMirrorPod). */
export const isMirrorPod = ({ metadata }: Pick<Pod, 'metadata'>): boolean =>
  ownField(metadata.annotations, MIRROR_POD) !== undefined;
