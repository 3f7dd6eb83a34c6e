/** The directory with links to logs, which log collectors read. */
export const LEGACY_LOGS_FOLDER = '/var/log/containers';
/** Maximum length of a file name on ext4 in bytes. */
const MAX_NAME = 255;
const SUFFIX = '.log';

/**
 * The link to a container's log: `POD_NAMESPACE_CONTAINER-ID.log`. No name can move the link out of its directory (upstream:
 * legacyLogSymlink).
 */
export function legacyLogSymlink(
  id: string,
  { name, namespace, container }: { readonly name: string; readonly namespace: string; readonly container: string },
): string {
  const file = `${name}_${namespace}_${container}-${id}`.replaceAll('/', '_').slice(0, MAX_NAME - SUFFIX.length);
  return `${LEGACY_LOGS_FOLDER}/${file}${SUFFIX}`;
}

/** The container's ID in the name of a link, or undefined if it has none (upstream: getContainerIDFromLegacyLogSymlink). */
export function containerIDOfLogSymlink(link: string): string | undefined {
  const id = link.endsWith(SUFFIX) ? link.slice(link.lastIndexOf('-') + 1, -SUFFIX.length) : '';
  return id.length < 6 ? undefined : id;
}
