import type { StorageOf } from '#lib/registry/built-in.ts';
import type { AdmissionPlugin } from './admission.ts';

export interface AdmissionPorts {
  readonly storageOf: StorageOf;
  readonly cluster: string;
}

/** The plugins in the order in which they run: upstream's AllOrderedPlugins. */
export function admissionChain(_ports: AdmissionPorts): readonly AdmissionPlugin[] {
  return [];
}
