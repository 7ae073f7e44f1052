import { Controller, Delete, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, AnswersNothing, Refuses, Summary } from '../http/answers.js';
import { PageQuery, byCreation, readPage } from '../http/page.js';
import { Body, Param, Query } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { ApiKeysService } from './api-keys.service.js';
import { CreateApiKeyDto, RotateApiKeyDto } from './dto/api-key.dto.js';
import { ApiKeyPage, ApiKeyResponse, NewApiKeyResponse } from './dto/api-key.response.js';

@ApiTags('api keys')
@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Summary('Mints a key. The key itself is in this answer only.')
  @PostOnce()
  @Allow('keys:manage')
  @Answers(201, NewApiKeyResponse, 'The new key.')
  @Refuses('not_found', 'key.wider_than_minter')
  create(@CurrentCaller() caller: Caller, @Body() body: CreateApiKeyDto) {
    return this.keys.create(caller, body);
  }

  @Summary("Lists the keys that the caller's key sees.")
  @Get()
  @Allow('keys:read')
  @Answers(200, ApiKeyPage, 'One page of keys.')
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return readPage('api-keys', caller, query, byCreation, (slice) => this.keys.list(caller, slice));
  }

  @Summary('Shows one key, without its secret.')
  @Get(':key_id')
  @Allow('keys:read')
  @Answers(200, ApiKeyResponse, 'The key.')
  get(@CurrentCaller() caller: Caller, @Param('key_id') id: string) {
    return this.keys.get(caller, id);
  }

  @Summary('Revokes a key and every key that it minted. They stop working within a second.')
  @Delete(':key_id')
  @Allow('keys:manage')
  @AnswersNothing('The key is revoked.')
  revoke(@CurrentCaller() caller: Caller, @Param('key_id') id: string) {
    return this.keys.revoke(caller, id);
  }

  @Summary('Gives a key a successor; the old secret works on through its grace.')
  @PostOnce(':key_id/rotate')
  @Allow('keys:manage')
  @Answers(201, NewApiKeyResponse, 'The successor.')
  @Refuses('key.revoked', 'key.already_rotated', 'key.wider_than_minter')
  rotate(@CurrentCaller() caller: Caller, @Param('key_id') id: string, @Body() body: RotateApiKeyDto) {
    return this.keys.rotate(caller, id, body.grace_seconds);
  }
}
