// Written by `npm run generate:grpc`.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

export interface PluginInfo {
  type: string;
  name: string;
  endpoint: string;
  supportedVersions: string[];
}

export interface RegistrationStatus {
  pluginRegistered: boolean;
  error: string;
}

export interface RegistrationStatusResponse {
}

export interface InfoRequest {
}

function createBasePluginInfo(): PluginInfo {
  return { type: "", name: "", endpoint: "", supportedVersions: [] };
}

export const PluginInfo: MessageFns<PluginInfo> = {
  encode(message: PluginInfo, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.type !== "") {
      writer.uint32(10).string(message.type);
    }
    if (message.name !== "") {
      writer.uint32(18).string(message.name);
    }
    if (message.endpoint !== "") {
      writer.uint32(26).string(message.endpoint);
    }
    for (const v of message.supportedVersions) {
      writer.uint32(34).string(v!);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PluginInfo {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePluginInfo();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.type = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.endpoint = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.supportedVersions.push(reader.string());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<PluginInfo>): PluginInfo {
    return PluginInfo.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PluginInfo>): PluginInfo {
    const message = createBasePluginInfo();
    message.type = object.type ?? "";
    message.name = object.name ?? "";
    message.endpoint = object.endpoint ?? "";
    message.supportedVersions = object.supportedVersions?.map((e) => e) || [];
    return message;
  },
};

function createBaseRegistrationStatus(): RegistrationStatus {
  return { pluginRegistered: false, error: "" };
}

export const RegistrationStatus: MessageFns<RegistrationStatus> = {
  encode(message: RegistrationStatus, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.pluginRegistered !== false) {
      writer.uint32(8).bool(message.pluginRegistered);
    }
    if (message.error !== "") {
      writer.uint32(18).string(message.error);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RegistrationStatus {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRegistrationStatus();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 8) {
              break;
            }

            message.pluginRegistered = reader.bool();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.error = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RegistrationStatus>): RegistrationStatus {
    return RegistrationStatus.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<RegistrationStatus>): RegistrationStatus {
    const message = createBaseRegistrationStatus();
    message.pluginRegistered = object.pluginRegistered ?? false;
    message.error = object.error ?? "";
    return message;
  },
};

function createBaseRegistrationStatusResponse(): RegistrationStatusResponse {
  return {};
}

export const RegistrationStatusResponse: MessageFns<RegistrationStatusResponse> = {
  encode(_: RegistrationStatusResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): RegistrationStatusResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseRegistrationStatusResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<RegistrationStatusResponse>): RegistrationStatusResponse {
    return RegistrationStatusResponse.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<RegistrationStatusResponse>): RegistrationStatusResponse {
    const message = createBaseRegistrationStatusResponse();
    return message;
  },
};

function createBaseInfoRequest(): InfoRequest {
  return {};
}

export const InfoRequest: MessageFns<InfoRequest> = {
  encode(_: InfoRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): InfoRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseInfoRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<InfoRequest>): InfoRequest {
    return InfoRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<InfoRequest>): InfoRequest {
    const message = createBaseInfoRequest();
    return message;
  },
};

export type RegistrationDefinition = typeof RegistrationDefinition;
export const RegistrationDefinition = {
  name: "Registration",
  fullName: "pluginregistration.Registration",
  methods: {
    getInfo: {
      name: "GetInfo",
      requestType: InfoRequest as typeof InfoRequest,
      requestStream: false,
      responseType: PluginInfo as typeof PluginInfo,
      responseStream: false,
      options: {},
    },
    notifyRegistrationStatus: {
      name: "NotifyRegistrationStatus",
      requestType: RegistrationStatus as typeof RegistrationStatus,
      requestStream: false,
      responseType: RegistrationStatusResponse as typeof RegistrationStatusResponse,
      responseStream: false,
      options: {},
    },
  },
} as const;

type Builtin = Date | Function | Uint8Array | string | number | boolean | undefined;

export type DeepPartial<T> = T extends Builtin ? T
  : T extends globalThis.Array<infer U> ? globalThis.Array<DeepPartial<U>>
  : T extends ReadonlyArray<infer U> ? ReadonlyArray<DeepPartial<U>>
  : T extends {} ? { [K in keyof T]?: DeepPartial<T[K]> }
  : Partial<T>;

export interface MessageFns<T> {
  encode(message: T, writer?: BinaryWriter): BinaryWriter;
  decode(input: BinaryReader | Uint8Array, length?: number): T;
  create(base?: DeepPartial<T>): T;
  fromPartial(object: DeepPartial<T>): T;
}
