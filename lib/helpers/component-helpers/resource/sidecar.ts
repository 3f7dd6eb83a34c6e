import type { Json } from '#lib/machinery/json-value.ts';

/** Whether an init container is a sidecar, which keeps running. */
export const isSidecar = ({ restartPolicy }: { readonly restartPolicy?: Json }): boolean => restartPolicy === 'Always';
