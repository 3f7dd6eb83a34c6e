import type { Json } from '#lib/machinery/json-value.ts';

/** The fields that a toleration and a taint are compared by; an absent one is empty. */
type Compared<F extends 'key' | 'operator' | 'value' | 'effect'> = { readonly [K in F]?: Json };

/** Whether a toleration of a request is for the taint of a device: upstream's ToleratesTaint. */
export function tolerates(
  { key = '', effect = '', operator = '', value = '' }: Compared<'key' | 'operator' | 'value' | 'effect'>,
  taint: Compared<'key' | 'value' | 'effect'>,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator === '' || operator === 'Equal') && value === (taint.value ?? '');
}
