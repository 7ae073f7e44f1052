import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyMint } from './key-mint.js';

@Module({ controllers: [ApiKeysController], providers: [ApiKeysService, KeyMint], exports: [KeyMint] })
export class ApiKeysModule {}
