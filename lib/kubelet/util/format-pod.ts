import type { Pod } from '#lib/api/types/core.v1.ts';

/** A pod in messages: `NAME_NAMESPACE(UID)` (upstream: format.Pod). */
export const formatPod = ({ metadata: { name = '', namespace = '', uid = '' } }: Pod): string =>
  `${name}_${namespace}(${uid})`;
