/** The reverse domains (RFC 1035 3.5, RFC 3596 2.5). */
const REVERSE = ['in-addr.arpa', 'ip6.arpa'];

/** The zone of a name. */
export interface Place {
  /** The queried name without the trailing dot. */
  readonly name: string;
  /** The zone as spelled in the name, because answers repeat the spelling. */
  readonly zone: string;
  /** The part before the zone, in lower case. '' at the zone itself. */
  readonly below: string;
  /** Whether this is a reverse zone. */
  readonly isReverse: boolean;
}

/** Finds the zone of a name. Undefined for a name in no zone. `domain` is in lower case. */
export function placeOf(name: string, domain: string): Place | undefined {
  const asked = name.toLowerCase();
  const zone = [domain, ...REVERSE].find((one) => asked === one || asked.endsWith(`.${one}`));
  if (zone === undefined) return undefined;
  const isReverse = REVERSE.includes(zone);
  const below = asked.length === zone.length ? '' : asked.slice(0, -zone.length - 1);
  return { name, zone: name.slice(-zone.length), below, isReverse };
}
