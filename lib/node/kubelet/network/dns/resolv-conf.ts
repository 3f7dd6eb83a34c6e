/** The DNS settings of a machine or a pod. */
export interface DNSConfig {
  readonly servers: readonly string[];
  readonly searches: readonly string[];
  readonly options: readonly string[];
}

/**
 * The settings in a resolv.conf: all servers, the last search line, and the last value of each option (upstream: parseResolvConf). Throws
 * Error for a server line without a server.
 */
export function parseResolvConf(text: string): DNSConfig {
  const servers: string[] = [];
  let searches: string[] = [];
  const options = new Map<string, string>();
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [keyword, ...fields] = line.split(/\s+/);
    const [first] = fields;
    if (keyword === 'nameserver') {
      if (first === undefined) throw new Error('nameserver list is empty ');
      servers.push(first);
    }
    if (keyword === 'search') searches = fields.filter((one) => one !== '.').map((one) => one.replace(/\.$/, ''));
    if (keyword === 'options') for (const option of fields) options.set(optionName(option), option);
  }
  return { servers, searches, options: [...options.values()] };
}

/** The name of an option, such as `ndots` in `ndots:5`. */
export const optionName = (option: string): string => option.split(':')[0] ?? '';
