/** The domains of names of addresses (RFC 1035 3.5, RFC 3596 2.5). */
const REVERSE = ['in-addr.arpa', 'ip6.arpa'];

/** The zone that a name is in. */
export interface Place {
  /** The name as it was asked, without the dot at the end. */
  readonly name: string;
  /** The zone, as the end of the name spells it: answers repeat the spelling. */
  readonly zone: string;
  /** The part before the zone, in lower case; '' at the zone itself. */
  readonly below: string;
  /** The zone holds names of addresses. */
  readonly isReverse: boolean;
}

/** Finds the zone of a name; undefined for a name of none. `domain` is in lower case. */
export function placeOf(name: string, domain: string): Place | undefined {
  const asked = name.toLowerCase();
  const zone = [domain, ...REVERSE].find((one) => asked === one || asked.endsWith(`.${one}`));
  if (zone === undefined) return undefined;
  const isReverse = REVERSE.includes(zone);
  const below = asked.length === zone.length ? '' : asked.slice(0, -zone.length - 1);
  return { name, zone: name.slice(-zone.length), below, isReverse };
}
