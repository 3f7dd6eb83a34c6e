import type { Json } from '#lib/machinery/json-value.ts';

/** Whether an init container keeps running beside the others. */
export const isSidecar = ({ restartPolicy }: { readonly restartPolicy?: Json }): boolean => restartPolicy === 'Always';
