import type { MakeApi } from './annotated-apis.ts';
import { parseAggregatedApiDeclaration } from './declaration.ts';
import { type ApiInvoker, functionApi } from './function-api.ts';

/** Creates APIs from annotations. Their functions are called by function name. */
export const annotatedApi =
  (invoke: ApiInvoker): MakeApi =>
  async (functionName, declaration) =>
    functionApi(parseAggregatedApiDeclaration(JSON.parse(declaration)), (_, ...rest) => invoke(functionName, ...rest));
