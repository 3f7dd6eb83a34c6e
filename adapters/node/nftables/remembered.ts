import * as z from 'zod';
import { canonicalIP } from '#lib/machinery/net/parse-addr.ts';
import type { Remembered } from '#lib/node/nftables/nftables.ts';

/** The sets in the output of `nft -j list sets`, and their elements that expire. */
const LISTED = z.object({
  nftables: z
    .array(z.object({ set: z.object({ name: z.string(), elem: z.array(z.unknown()).default([]) }).optional() }))
    .default([]),
});
const ELEMENT = z.object({ elem: z.object({ val: z.string(), expires: z.int().positive() }) });

/** The addresses in sets that the kernel fills, with their remaining seconds, in nft syntax. Throws ZodError if the output is not nft's. */
export function rememberedIn(printed: string): Remembered {
  const { nftables } = LISTED.parse(JSON.parse(printed));
  return new Map(
    nftables.flatMap(({ set }) => {
      const elements = set?.elem.flatMap((element) => elementOf(element) ?? []) ?? [];
      return set === undefined || elements.length === 0 ? [] : [[set.name, elements] as const];
    }),
  );
}

function elementOf(element: unknown): string | undefined {
  const { data } = ELEMENT.safeParse(element);
  const address = data && canonicalIP(data.elem.val);
  return data && address && `${address} expires ${data.elem.expires}s`;
}
