import { quote } from '#lib/machinery/go.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import type { ObjectScheme } from './resource.ts';

/** The Go source position of upstream's scheme, which appears in its error messages. */
const SCHEME_NAME = 'pkg/api/legacyscheme/scheme.go:30';

/** The error message for an object whose kind differs from the built-in kind of the endpoint. */
export function otherKind(version: string, name: string, { kind, knows }: ObjectScheme): string {
  if (knows?.({ apiVersion: version, kind: name }) !== true) {
    return `no kind ${quote(name)} is registered for version ${quote(version)} in scheme ${quote(SCHEME_NAME)}`;
  }
  const from = `${parseApiVersion(version)?.version ?? version}.${name}`;
  return `converting (${from}) to (${goPackage(kind.group)}.${kind.kind}): unknown conversion`;
}

/** The Go package of a group's internal types. */
function goPackage(group: string): string {
  return group === '' ? 'core' : (group.split('.')[0] as string);
}
