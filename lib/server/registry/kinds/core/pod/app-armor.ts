import type { AppArmorProfile } from '#lib/api/types/core.v1.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';

const LOCALHOST = 'localhost/';

/** The profile that an AppArmor annotation names; undefined where it is none. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const name = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : '';
  return name === '' || name.trim() !== name ? undefined : { type: 'Localhost', localhostProfile: name };
}

/** The warning of an annotation, at its path. */
export const appArmorWarning = (path: FieldPath): string =>
  `${path}: deprecated since v1.30; use the "appArmorProfile" field instead`;
