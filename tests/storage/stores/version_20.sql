BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'thalamus','m0001_initial','2026-11-26 06:13:20.490731+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'thalamus','m0002_memory_validity','2026-11-26 06:13:20.506967+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'thalamus','m0003_owner_indexes','2026-11-26 06:13:20.521808+00:00');
CREATE TABLE about (
        key INTEGER NOT NULL, concept INTEGER NOT NULL,
        PRIMARY KEY (key, concept)) WITHOUT ROWID;
INSERT INTO "about" VALUES(1,1);
INSERT INTO "about" VALUES(2,1);
INSERT INTO "about" VALUES(3,1);
INSERT INTO "about" VALUES(1,2);
INSERT INTO "about" VALUES(2,2);
INSERT INTO "about" VALUES(7,3);
CREATE TABLE alias (
        owner TEXT NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL,
        target_folded TEXT NOT NULL, reason TEXT NOT NULL, "user" TEXT, recorded_at TEXT NOT NULL,
        PRIMARY KEY (owner, folded)) WITHOUT ROWID;
CREATE TABLE batch (
        n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL,
        action TEXT NOT NULL, undone_at TEXT, purged_at TEXT);
CREATE TABLE batch_item (
        batch TEXT NOT NULL, id TEXT NOT NULL, before TEXT,
        PRIMARY KEY (batch, id)) WITHOUT ROWID;
CREATE TABLE concept (
        n INTEGER PRIMARY KEY, owner TEXT NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL,
        kind TEXT NOT NULL, UNIQUE (owner, folded));
INSERT INTO "concept" VALUES(1,'','ana','Ana','entity');
INSERT INTO "concept" VALUES(2,'','bosch','Bosch','name');
INSERT INTO "concept" VALUES(3,'','sea','sea','topic');
CREATE TABLE document (
        id TEXT PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, recorded_at TEXT NOT NULL,
        body TEXT NOT NULL);
CREATE TABLE embedding (
        n INTEGER PRIMARY KEY AUTOINCREMENT, space INTEGER NOT NULL, key INTEGER NOT NULL,
        vector BLOB NOT NULL, mac BLOB, sentences BLOB, UNIQUE (space, key));
INSERT INTO "embedding" VALUES(1,1,1,X'0000C232000000000000C2AE000000000000C2AE000000000000C22E00000000C2B2C2AE0000C2AE0000A2B5A2350000A2B500000000A2B500000000C2AE0000C2AE00000000000000000000A23500000000000000000000C22EA2350000C22E0000C232C2AE00000000000000000000C22E0000000000000000000000000000',X'38EFC8A0F8FB9F85B1FB8A86D911575C',NULL);
INSERT INTO "embedding" VALUES(2,1,2,X'0000C232000000000000C2AE000000000000C2AE000000000000C22E00000000C2B2C2AE0000C2AE0000A2B5A2350000A2B500000000A2B500000000C2AE0000C2AE00000000000000000000A23500000000000000000000C22EA2350000C22E0000C232C2AE00000000000000000000C22E0000000000000000000000000000',X'A4B29AFFE371774124258D136B96E7F1',NULL);
INSERT INTO "embedding" VALUES(3,1,3,X'0000000000000000000051B0000051B400000000000000000000513000005130000000005130000000000000000000000000000000000000513000000000000051B00000000000000000000031370000000051B0000000005130313700005130000000000000AD38000000000000000051300000000000000000000000000000',X'8FABF832F81B5CE70C8E1F365551C5E7',NULL);
INSERT INTO "embedding" VALUES(4,1,7,X'58B50000000095B0A3B700009530000095B0000000000000000000000000A3B795B00000000000000000000000000000000000000000000095B00000000000000000000095300000000000000000000000009530000000000000953000009530000000000000000000000000000000000000A337953000000000000000000000',X'1FB5F5F0ED9A1AB2750F01A0C42E3638',NULL);
CREATE TABLE encrypted (
        kind TEXT NOT NULL, id TEXT NOT NULL, subject TEXT NOT NULL, ciphertext BLOB NOT NULL,
        PRIMARY KEY (kind, id)) WITHOUT ROWID;
INSERT INTO "encrypted" VALUES('memory','mem_1kr3xzbc060rzvwggsyxd','fe5466612325bb29',X'29235DB30B884125871168C8530B92089B2E44716B2BD51067360E8E02CA55CBAA64B332CF2AA9CE572BCC3B62ED153691FAD52920DB0B457208CEF5C28084D5607759BDA8D3071CF68CD252F836263E3669F30F5A8F25DDB89611156856EB3B38F3DAA3F4A4B136064586CB3B8DD9B92E8A86A84ECC471B3B6DD7C04D2DC6D7AB3140D5F4E4EC2032B302193692BA5FAF33F1BD4A565D449527CB51F8D172FE0CAB322EA87E770A04B969943787E3E88BA7DE80C8214E4196AD6361D6AA516EE25778E909753917F15AED80C1381B1079DD64BC146B52E405ADDBCBD0EB28EBF942872E439FDF84CFCF0A9D5B14F8D6A6414E6B07A6D93C5B8455DA4A586E085BE1E1F743A6034F0F922BAE80493E332A7A80A3754E3286A2C65D5BEB7F4004D5B6AC9E2E0196ABF04DD0837A201501143FA2100BC5D4C26CF25A392435099C0DD1CA9901E15D6F9A03C8B5DDDBDBC8A622231069D4102F0A81D9D23A07364AC6C0717A28A27E01E22B048088962212E719F314512E2FA2CDC2871920294AAEE4D3B4DE0CB46D60510D');
INSERT INTO "encrypted" VALUES('stage_log','log_1kr3xzbc06f1f1kz7j3he','fe5466612325bb29',X'F63E3191F6C4C4140CFDA3319FCB015D5E9FD746F63DB52A7D5688E2DCA51900B7757627DEFA2E2E551E4FBF7DA8964027991EE174E58C8E971197285D3EED06996962A341C798F403BDFD48CA82870D2763715FA19A2CB96A4BD6373AFCE5CFED7B360EE41D76AAFD5B9EF9879A7AA31552192C31DA287DC9BDE0FC706B5F1B14791275D4F21F409CD0D4007B83B5846C2A47F7166B733E15ED15EBA750D0E2DCF3C598DFA8E6F71F91C6955D23875E606A963E647AB565AE15307AAE4F347EC3E0B97406FEF35182B37683ADA06C7571F0FBBBFF987AC1C09BFA0743B68F2D3536465A10D098E25F505A907C4A4523CCE5C48F25B61E147DF4505CDCF5EAAF7FCF72CB1C6773744A9EDADD23E260CEDC4489D1A139A8A764959497BA914618512CBE743EF5F5B42804BC8D421039E998F33EA077544DA0AD8848320C866FA5249C47A2C705DBF61C448DAC93E397C11FB9EFFF27BEE05134DD70921F2388740F9543DC5C2788FF226A3AD9C735D1B2D5A34049C12D95B2463C8C372FD7AA21B0BF2A9051419A40024F4EC6860B0D81F7325416AE4D7AD449230062A42E7506649046F0F7A80F3486C5A87058714E167D1A380981782BD9E8C0FE60BDA662517F77CB170C43144E98DFA5B86A33AE3179EDB7396BD571490A276058B9F989E1D60B0D7F4F346E61A9EB19D86FFB56F5ACC2033A9FBD670B0C5DE4A8361DA03F1E94C75090AB27589EDD52733AC8140CF416A144DA8DA953740FDB20DCF598108794AEB82106C3D1B0EE0EA697E0DB8831BC42A4C0446D1D47C720285018B37687C2EABED9E0C416E3432D684BDAD6E1329261D36D7EB253A6F54445E372ED129EF070A788D290209B6F169B18F63F9CEC6F9100CC4CB3');
INSERT INTO "encrypted" VALUES('stage_log','log_1kr3xzbc0djwfd0satt9c','fe5466612325bb29',X'34D07174C0F851DCE60AB8A312392D67FDD75B3C8BC2A80AD81BA78B6C83F0C13FDC9B44F233B32398070709AA83F40AE1846A5E6241C20F8C3B6BAF81B3D28EE14E6A4383E3423C84D96F60768A5257ECA1587A323F8C62470DFB9C44BC314C9B5B269B070CF0DB0883EFBC035EC95BF0F0E51D9BC76DDA693E12DF38E6FEE5EFC36BCBA261E36FCF919CD24F83EDA3E69303575C0831916375529DACC21EFE8ABBFF848474187A5FE44960F8762D2A9BAA8803A083F361911EFC9C17B20B990A4E7223E6826C61EF25E83AB4943071628E2A7B2B89DE1E5E1DF9C34FCED02DE5F2D2F0718F6386055D09BAF3A395D1043EEE98AD59CDA1FBE3923CC18AC52F722165A4D8A5DB2C01F2F9DA6C78D83713B497313DC30F62FE77DD7B6E03CA5F4EDF13B7FE05FCC45DB6C2B7A8E9B64ADF7788B3241E82145F3E73279002DAD16CF4770AF4F34C29C53674019CEBA139ABE17B6F8F9C58A1E5EF7F62315058109DC02A9EE8E0131E7F0AA0CE25F82EA49F90E044B4CA9CDC96081DD021D8B1A96D9EA5030F53B04367617EEA78312C073B4AD11723EDD9C5354532B24983CD8958209263F3EE6267CDE1F983AD47DB5126482B343407E39A6B1DD552EAAABB5217BF58AA8A402BBE2CA8A53B6643C5D2C114E261C73E0AADA448FE65E3A97D82E59A3EAF19FC17BCCBF8C5478737560CF26CBF1A9379DA46E7C7F6AF131B2270F766C4A9BFB0A0676718DA68D56963678DB6E2A606AB70F14328E71AC8E212B5148F9F3276CFF5E46AF1EDB6C0229E92C5534907FCA0FE068A1C265650B6CF5DBF54139A4038DD605D5B24554DF7EBF70ECF135219CB4DBDAA30384192217E2A4D44915ECB2B2E0F694EBD8647777D32D0AFA95C2332E1BA854A799DDBA41A7C850DBA232376FCB0E1D8E630526F');
INSERT INTO "encrypted" VALUES('stage_log','log_1kr3xzbc0jx55pd35799h','fe5466612325bb29',X'E4F2B353AB758A7941056E63853295C1ED75D992F6557DE2822F5AFC2CECB4312CA695D8115B341268A7E7EA0CC49DAFD497E4B123197F084741D9AEE0A33D556A78A15210371AA58440A8875CFBF77A16FF3A5440046C4341D4A45152722E8C103C459EA7F0EC5C76165848D03444328822D238C7168BD9C8C96E09BBDAF9543E8FA964F564B4AEA621032633D663E89AF41BF7FA087497E8B3439A53AFA63013033BDC02C127A6C2F153C6E3F2280CD8E441CF5604473CF427230D39D489EBD4B14787D9C51690B8EBE4534120A4DB117F4F64A3F96B415B7F69BF6D540DFBDF04F923016777289B36054E1CDDC83DE7B518BD4DBFC3E27D33214DC576E4FB691DF8AC96FD5B2845F6CF4C9C8FCD4450F6CF18A6EE56240271022E325306E81A75D2D507246A95ABD28F6163AA023357BCD85F9419EC7DAEF4A0BAF000B5685AB6E4B620BC0C358EAA958D4B30EB82F602D64884B4F037C8B0CDA5605B891622557AA756D869B764786E09076B03AAD07F4572059305D1D6FE5933544E81C6');
CREATE TABLE event (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, name TEXT NOT NULL,
        turn TEXT, session TEXT, data TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL,
        salt TEXT, body TEXT, mac BLOB);
INSERT INTO "event" VALUES(1,'2026-05-08T13:56:00Z','fact_asserted',NULL,NULL,'{"changed":["fact_1kr3xzbc02zxyas3fwjac"],"fact":"fact_1kr3xzbc02zxyas3fwjac"}','0000000000000000000000000000000000000000000000000000000000000000','62533902515815bc016e22d816a28ed01f9afe469a3c501276a2da65e331e9d8','0183b7ed2359eff465974ffa96ed7b85','eef2af7b1be480b45a46c14432aeada25e4e32ece02693f51a2f4c93ce026a41',X'9F5567C2B0FE2313C3994E517238949D2BF4E737C206C1C41594EFF9F53E90E6');
INSERT INTO "event" VALUES(2,'2026-05-08T13:56:00Z','stage','turn_1kr3xzbc0g2tjykymywef','main','{"at":"2026-05-08T13:56:00Z","detail":{"note":"no store yet"},"inputs":[],"model":null,"ms":0,"outputs":[],"stage":"retrieve","tokens_in":null,"tokens_out":null}','62533902515815bc016e22d816a28ed01f9afe469a3c501276a2da65e331e9d8','a26c403eb6117744627ca01dd615cb7382479c786248f05e94e076e055722733','f96e470867a74830dc600e608a152c0a','4823b9fb688113216aa53e65ede83a732e94b0b527f6d809323fff224011eee0',X'F608B4275DE0D48EC2D8FE7A89BAA450D10149FC3EC8EA910A9497DB3CF12786');
INSERT INTO "event" VALUES(3,'2026-05-08T13:56:00Z','stage','turn_1kr3xzbc0g2tjykymywef','main','{"at":"2026-05-08T13:56:00Z","detail":{"cut_short":false,"left_out":{},"loop_cut":false,"messages":2},"inputs":[],"model":"scripted","ms":0,"outputs":["turn_1kr3xzbc0g2tjykymywef"],"stage":"answer","tokens_in":63,"tokens_out":7}','a26c403eb6117744627ca01dd615cb7382479c786248f05e94e076e055722733','b47f2c191eb19f945d0723ef21245b03c04b995ebe2f2a4d20d8dc1f4e2435ec','e4c6a9be71b5a9a1b6f37457b9b611aa','49136aeef41b3642a08d4ef28cf66fb6c12efd5a2dbe6069bc307e30beec7d6b',X'E260291F1539658E6D25BC5F93F7E4770C38F1EA522252C9477FD41ED4F3E94E');
INSERT INTO "event" VALUES(4,'2026-05-08T13:56:00Z','stage','turn_1kr3xzbc0g2tjykymywef','main','{"at":"2026-05-08T13:56:00Z","detail":{"facts":1,"memories":1,"no_longer":0,"refused":0},"inputs":["turn_1kr3xzbc0g2tjykymywef"],"model":null,"ms":0,"outputs":[],"stage":"reflect","tokens_in":null,"tokens_out":null}','b47f2c191eb19f945d0723ef21245b03c04b995ebe2f2a4d20d8dc1f4e2435ec','8e9cbb7169b9173144df2b85d7a7c7ed17b678d8100c610e30bddccb38a7fd74','f366fe40e46558dcc1bad6540eccf68d','bc23b056267106c52adc65a08e3df3916cb5e97603ac23f36e698d01173f06af',X'EF6EEC9C1A62E4770687AC5241219D7B4707B13B75ADDA74D4E45EAA41038703');
INSERT INTO "event" VALUES(5,'2026-05-08T13:56:00Z','stage','turn_1kr3xzbc0g2tjykymywef','main','{"at":"2026-05-08T13:56:00Z","detail":{"decisions":[{"decision":"add","id":"mem_1kr3xzbc0am23fjtjwc2s","reason":"new","rule":"new"},{"decision":"add","id":"fact_1kr3xzbc02zxyas3fwjac","reason":"new","rule":"new"}]},"inputs":["turn_1kr3xzbc0g2tjykymywef"],"model":null,"ms":0,"outputs":["mem_1kr3xzbc0am23fjtjwc2s","fact_1kr3xzbc02zxyas3fwjac"],"stage":"store","tokens_in":null,"tokens_out":null}','8e9cbb7169b9173144df2b85d7a7c7ed17b678d8100c610e30bddccb38a7fd74','692112005a9122be8906ecb2598f4bb4eaf8c211391ae8024bd54c839a0e8a8f','230ad1f656e3ef6e672b844d48b67d70','03a6355b89816eead5ddd568c471c265a10cf4da214aa6239942ff1c6053be80',X'CD4EF2C67B85FE50CA5CF4B160FBF63BBCF2A7958A1690B57383ADA435CB2DB2');
INSERT INTO "event" VALUES(6,'2026-05-08T13:56:00Z','stored',NULL,NULL,'{"count":2,"first":"mem_1kr3xzbc0g0h1zgbcv1he","last":"mem_gone"}','692112005a9122be8906ecb2598f4bb4eaf8c211391ae8024bd54c839a0e8a8f','03551098a5b67b5be1ccbeafd151b9d7ceb901112a6ff06587cff466f761a47b','a0e24e12ce52cfa0be9658b1ff5a7f01','ac2b7762a1852c070982c58acb1aec1189a197ae145129635aa27c86a28ee721',X'DAE2F9F5B6AAD00FE2FCAE6DBAF24E3A07AAEA65AEFC73D3FD00E72B6BE646F0');
INSERT INTO "event" VALUES(7,'2026-05-08T13:56:00Z','stored',NULL,NULL,'{"count":1,"first":"mem_1kr3xzbc060rzvwggsyxd","last":"mem_1kr3xzbc060rzvwggsyxd"}','03551098a5b67b5be1ccbeafd151b9d7ceb901112a6ff06587cff466f761a47b','5d59a2e955fe32707b838f3d693faaddb6067d5f7780a3cb299594e587689514','51a86c0bc0b711a5f546c7931671497e','5e824206addcbcf558c3f33641766110c5714cfdb1200e545499745c0fdaf3f5',X'F9202CBCA48F2674E7852530C43DE7F9E402211E04A1C1DE2166D2978AD7B6F5');
CREATE TABLE exported_file (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, path TEXT NOT NULL,
        format TEXT NOT NULL, rows INTEGER NOT NULL, holds TEXT NOT NULL);
CREATE TABLE fact (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
        subject TEXT NOT NULL, predicate TEXT NOT NULL, object TEXT NOT NULL,
        subject_said TEXT, entity TEXT NOT NULL, value TEXT NOT NULL,
        valid_from TEXT, valid_to TEXT, stated_from TEXT, stated_to TEXT,
        recorded_at TEXT NOT NULL, retired_at TEXT, created_at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT,
        quote TEXT, trust REAL NOT NULL, sensitivity TEXT NOT NULL DEFAULT 'normal',
        metadata TEXT NOT NULL DEFAULT '{}', provenance TEXT);
INSERT INTO "fact" VALUES(3,'fact_1kr3xzbc02zxyas3fwjac','user','sister','Ana','user','user','ana',NULL,NULL,NULL,NULL,'2026-05-08T13:56:00Z',NULL,'2026-05-08T13:56:00Z','main',NULL,NULL,'My sister Ana',1.0,'normal','{}','{"quote":"My sister Ana","turn":"turn_1kr3xzbc0g2tjykymywef"}');
CREATE TABLE fact_interval (
        n INTEGER PRIMARY KEY, fact INTEGER NOT NULL, valid_from TEXT NOT NULL, valid_to TEXT,
        believed_from TEXT NOT NULL, believed_to TEXT);
INSERT INTO "fact_interval" VALUES(1,3,'2026-05-08T13:56:00',NULL,'2026-05-08T13:56:00',NULL);
CREATE TABLE fact_note (
        n INTEGER PRIMARY KEY, fact INTEGER NOT NULL, kind TEXT NOT NULL, at TEXT NOT NULL,
        recorded_at TEXT NOT NULL, UNIQUE (fact, kind, at));
CREATE TABLE insight (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL,
        concepts TEXT NOT NULL, sources TEXT NOT NULL, strength REAL NOT NULL DEFAULT 1,
        status TEXT NOT NULL, level INTEGER NOT NULL DEFAULT 1, merged_into TEXT,
        trust REAL NOT NULL, created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT,
        sensitivity TEXT NOT NULL DEFAULT 'normal', batch TEXT, quarantine TEXT);
CREATE TABLE job (
        n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
        stages TEXT, turn TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
        created_at TEXT NOT NULL, taken_at TEXT, taken_by TEXT, tries INTEGER NOT NULL DEFAULT 0,
        error TEXT);
INSERT INTO "job" VALUES(1,'job_1kr3xzbc047325scrx1zc','crystallize',NULL,'turn_1kr3xzbc0g2tjykymywef','waiting','2026-05-08T13:56:00Z',NULL,NULL,0,NULL);
CREATE TABLE link (
        source TEXT NOT NULL, relation TEXT NOT NULL, target TEXT NOT NULL,
        PRIMARY KEY (source, relation, target)) WITHOUT ROWID;
INSERT INTO "link" VALUES('mem_1kr3xzbc0am23fjtjwc2s','about','fact_1kr3xzbc02zxyas3fwjac');
INSERT INTO "link" VALUES('fact_1kr3xzbc02zxyas3fwjac','derived_from','turn_1kr3xzbc0g2tjykymywef');
INSERT INTO "link" VALUES('mem_1kr3xzbc0am23fjtjwc2s','derived_from','turn_1kr3xzbc0g2tjykymywef');
CREATE TABLE memory (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, topic TEXT,
        content TEXT NOT NULL, importance TEXT NOT NULL, scope TEXT NOT NULL,
        created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT,
        trust REAL NOT NULL, status TEXT NOT NULL, sensitivity TEXT NOT NULL, expires_at TEXT,
        pinned INTEGER NOT NULL DEFAULT 0, batch TEXT,
        salience REAL, strength REAL NOT NULL DEFAULT 1, seen INTEGER NOT NULL DEFAULT 1,
        seen_at TEXT, stale TEXT, quarantine TEXT, suspicious TEXT,
        released INTEGER NOT NULL DEFAULT 0,
        metadata TEXT NOT NULL DEFAULT '{}', provenance TEXT,
        identity_hash BLOB NOT NULL, content_hash BLOB NOT NULL, valid_from TEXT, valid_to TEXT);
INSERT INTO "memory" VALUES(2,'mem_1kr3xzbc0am23fjtjwc2s','relationship',NULL,'My sister Ana works at Bosch.','medium','archival','2026-05-08T13:56:00Z','2026-05-08T13:56:00Z','main',NULL,NULL,1.0,'active','normal',NULL,0,NULL,0.6817,1.0,1,'2026-05-08T13:56:00Z',NULL,NULL,NULL,0,'{"verbatim":true}','{"quote":"My sister Ana works at Bosch","turn":"turn_1kr3xzbc0g2tjykymywef"}',X'4212C1785B7CA939BC639B98',X'95023B8F5C24F5928B027587',NULL,NULL);
INSERT INTO "memory" VALUES(7,'mem_1kr3xzbc0g0h1zgbcv1he','observation','sea','The tide is high.','medium','archival','2026-05-08T13:56:00Z','2026-05-08T13:56:00Z',NULL,NULL,NULL,1.0,'active','normal',NULL,0,NULL,0.31,1.0,1,'2026-05-08T13:56:00Z',NULL,NULL,NULL,0,'{}',NULL,X'02E17BA5AFF0105D434ADEC0',X'C487EC5B1E6A8D5023176A34',NULL,NULL);
INSERT INTO "memory" VALUES(9,'mem_1kr3xzbc060rzvwggsyxd','observation',NULL,'','medium','archival','2026-05-08T13:56:00Z','2026-05-08T13:56:00Z',NULL,NULL,NULL,1.0,'active','personal',NULL,0,NULL,0.4767,1.0,1,'2026-05-08T13:56:00Z',NULL,NULL,NULL,0,'{}',NULL,X'193A1B30DEDDC92B83CAD1D9',X'1D6D3BD48A19BC6F2CE2CC30',NULL,NULL);
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO "meta" VALUES('epoch',1);
INSERT INTO "meta" VALUES('erasures',2);
INSERT INTO "meta" VALUES('next_key',10);
INSERT INTO "meta" VALUES('signed_columns','{"predicate":["name","body"],"alias":["owner","folded","name","target","target_folded","reason","user","recorded_at"],"turn":["key","id","message","answer","created_at","recorded_at","session","user","agent","metadata","interrupted","ref"],"memory":["key","id","type","topic","content","importance","scope","created_at","recorded_at","session","user","agent","trust","status","sensitivity","expires_at","pinned","batch","salience","strength","seen","seen_at","stale","quarantine","suspicious","released","metadata","provenance","identity_hash","content_hash","valid_from","valid_to"],"fact":["key","id","subject","predicate","object","subject_said","entity","value","valid_from","valid_to","stated_from","stated_to","recorded_at","retired_at","created_at","session","user","agent","quote","trust","sensitivity","metadata","provenance"],"document":["id","sha256","recorded_at","body"],"project":["key","id","name","description","repo_url","status","created_at","recorded_at","closed_at","session","user","agent","sensitivity","tags","provenance"],"insight":["key","id","content","concepts","sources","strength","status","level","merged_into","trust","created_at","recorded_at","session","user","agent","sensitivity","batch","quarantine"],"plan":["key","id","session","user","turn","created_at","body"],"session_title":["key","id","session","title","user","at","sensitivity"],"world":["owner","user","project","timezone","updated_at","topics","topic_weights","goals","entities"],"world_change":["key","id","at","user","turn","batch","undone_at","operations","before","after"],"stage_log":["key","id","turn","stage","at","session","user","agent","model","reply","ms","sensitivity","messages","calls","given","gave"],"exported_file":["key","id","at","path","format","rows","holds"],"link":["source","relation","target"],"space":["id","model","dimension"],"removal":["n","key"],"encrypted":["kind","id","subject","ciphertext"],"fact_note":["n","fact","kind","at","recorded_at"],"fact_interval":["n","fact","valid_from","valid_to","believed_from","believed_to"],"batch":["n","id","at","action","undone_at","purged_at"],"batch_item":["batch","id","before"],"job":["n","id","kind","stages","turn","state","created_at","taken_at","taken_by","tries","error"]}');
INSERT INTO "meta" VALUES('signed_head','{"key":"7323faf153684104","first":1,"n":21,"chain":"6fd32e9f75f2b57bbdd7edc576abcce94c8e1ad45736a805375054bea376b87e","seq":7,"hash":"5d59a2e955fe32707b838f3d693faaddb6067d5f7780a3cb299594e587689514","mac":"98cdfba1d97ecf0b2651de6e4a0d276374429adc28990f56c9fcbf1db76db4e5"}');
INSERT INTO "meta" VALUES('signed_triggers','9e076ceaf246b6003d9c2680a2b4cf0bffd069805902b0b5edeebf49039fe4bd');
INSERT INTO "meta" VALUES('signed_vectors','{"1":{"count":4,"total":"ca8af0c424895cdca6d78db6723e6571"}}');
INSERT INTO "meta" VALUES('store','75ab6543a4af4a44');
INSERT INTO "meta" VALUES('tenant','default');
CREATE TABLE plan (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, "user" TEXT,
        turn TEXT, created_at TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE predicate (name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE project (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, description TEXT,
        repo_url TEXT, status TEXT NOT NULL, created_at TEXT NOT NULL, recorded_at TEXT NOT NULL,
        closed_at TEXT, session TEXT, "user" TEXT, agent TEXT, sensitivity TEXT NOT NULL DEFAULT 'normal', tags TEXT NOT NULL,
        provenance TEXT);
CREATE TABLE removal (n INTEGER PRIMARY KEY AUTOINCREMENT, key INTEGER NOT NULL);
INSERT INTO "removal" VALUES(1,8);
CREATE TABLE session_title (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL,
        title TEXT NOT NULL, "user" TEXT, at TEXT NOT NULL,
        sensitivity TEXT NOT NULL DEFAULT 'normal');
CREATE TABLE signature (
        n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, ref INTEGER NOT NULL, name TEXT,
        tag BLOB NOT NULL, digest BLOB, chain BLOB NOT NULL);
INSERT INTO "signature" VALUES(1,'turn',1,'[1,"turn_1kr3xzbc0g2tjykymywef"]',X'1E7AE8BA1BBBC789711C3E1F7375F75B',X'2B987452FADD174E493E06538A2C0EE8',X'A7196F284B9283888CFDF70B3C5FAB39981B36B9CF91AB3CF5F2802AAA93B706');
INSERT INTO "signature" VALUES(2,'memory',2,'[2,"mem_1kr3xzbc0am23fjtjwc2s"]',X'8A73F8CC412F1A44AF7376EE626563E7',X'46426EC251DD13C1BEB919807DE17ABC',X'7B8688B038E44A586265D13C7858D084BB9919DDC8694183C4C0DF6A2D7210D6');
INSERT INTO "signature" VALUES(3,'fact',3,'[3,"fact_1kr3xzbc02zxyas3fwjac"]',X'D8D1073E6D38870E8D77ECD29B4C2BC9',X'70706F81AE6B4BEFC49DAEFEBE7D935E',X'C89490A19F339B1E9850ECDD82AC44B2D23C07D50FD3DCD2A9DADB8C11DC745E');
INSERT INTO "signature" VALUES(4,'stage_log',4,'[4,"log_1kr3xzbc0djwfd0satt9c"]',X'C6E379C7E37CC66559ED6705246F2088',X'205F25064D3708F77761609CBEF0390A',X'DF52D47329CE9F20D4B70D8791298885F7A6462C57D3D6AE41F87D7F116FFA3D');
INSERT INTO "signature" VALUES(5,'stage_log',5,'[5,"log_1kr3xzbc06f1f1kz7j3he"]',X'1996E8BC8876BDA1E6DCE15DF8457026',X'FC6D63A9C28B6983832B0EDC7CC202D2',X'E93C7DE03BECB899A7E482054457189565B8F40CC84A36A1A88F002A8BB0C275');
INSERT INTO "signature" VALUES(6,'stage_log',6,'[6,"log_1kr3xzbc0jx55pd35799h"]',X'3974EE5FC4A1C3134BF2E39C9140243A',X'3518BDA178A1254DEA33A20A817CEB08',X'411313D165C5C3C314181AF338DF624EB302AD2B9034687D761F55ABAB48E7E2');
INSERT INTO "signature" VALUES(7,'link',-7678808568177780115,'["mem_1kr3xzbc0am23fjtjwc2s","derived_from","turn_1kr3xzbc0g2tjykymywef"]',X'956F644A93899A6DA8E77FA2D33A2DAC',X'B88AC9D687C77936EA5779E0974E0D45',X'ACDB46BCDB9DA5466A23C8C75586244260F1BF1A7AF8F2AF94542579A24140A0');
INSERT INTO "signature" VALUES(8,'link',813942503463920617,'["fact_1kr3xzbc02zxyas3fwjac","derived_from","turn_1kr3xzbc0g2tjykymywef"]',X'0B4BB464FA8F23E96653B74CDD9C74C9',X'8D713CB3364677ECA58456FA300A8C5A',X'AF49A6FB5FF05A034859DC43A65BF4CE68BECAB79E868EB565544CB7EFC939B4');
INSERT INTO "signature" VALUES(9,'link',6807821087959447609,'["mem_1kr3xzbc0am23fjtjwc2s","about","fact_1kr3xzbc02zxyas3fwjac"]',X'5E7A3D35CA3C7839245EE40BF56E016F',X'F5633EC64B65C4CAAA5C58F132DA19E2',X'010A5227B5017DBCECAA20A1B552D781E1FCA0840D91A475499A4B7DC8407A7B');
INSERT INTO "signature" VALUES(10,'space',1,'[1]',X'700743EF120386C73881651A55FF83F1',X'11DDF6B4D403770C65C833D4006891B5',X'FDDC18B136ADE98984849739BFBD26891EEA8053FE553C209F943DA231B1D530');
INSERT INTO "signature" VALUES(11,'encrypted',7182411365255617309,'["stage_log","log_1kr3xzbc0djwfd0satt9c"]',X'63AD0D1528CA1B1D846F2943781D65CE',X'2D8B2E8E83232425F706F098D064CAA9',X'90C0563C3393362DD70C1CF4CF205C193E9A56CF2A459D0B6BFE05CC561D6CA9');
INSERT INTO "signature" VALUES(12,'encrypted',-9115368546861197424,'["stage_log","log_1kr3xzbc06f1f1kz7j3he"]',X'817FB49A1791D790313ADAF295704D39',X'5B4D043B7B39F9D173CCA9E81D23D0DC',X'CB34FAD6A1F19386A41BD8BD3340EE1D603B0E03158D4FEC0315CB7D9F56A10D');
INSERT INTO "signature" VALUES(13,'encrypted',-1135047269023846642,'["stage_log","log_1kr3xzbc0jx55pd35799h"]',X'F03F8085C68E6F0E24ACE35379D50982',X'9191DECCF318E8B5F124528FD0DF0B12',X'1E1E582E54AC3194E78D8AF50608E311E69B2F7B0EE6F57D0D52EE5E6AF45C1D');
INSERT INTO "signature" VALUES(14,'fact_interval',1,'[1]',X'9D2F0E2DD2C3C26D7DF7A3A6713C25FE',X'473B46B10FD1EA879B86A469738EEB84',X'BA57658FBB83814ADDE7D0046F38178CA815BFEF35E6178C3CA134C09EEA986E');
INSERT INTO "signature" VALUES(15,'job',1,'[1,"job_1kr3xzbc047325scrx1zc"]',X'401B1E6E45EA5CF37A1E37748AEDDD4E',X'9509A41CF00C12C714EE36298A58414C',X'38E06931ED58197C9F61C6374B9C9E6B0EF0C993B4EC99896C084E7BA62CCBD9');
INSERT INTO "signature" VALUES(16,'memory',7,'[7,"mem_1kr3xzbc0g0h1zgbcv1he"]',X'7FB69D35BFA763B3C2218BB90A272E35',X'0BCA5F2F969B6D8E557850AD5847A433',X'E2BEAA7743DFFD945D8794F816A50CC05EDDFF0AA19A3924B2F53CDA8EDB730B');
INSERT INTO "signature" VALUES(17,'memory',8,'[8,"mem_gone"]',X'CC099B0C35E3886848D83860E78547D6',X'96915FCE66132EA83F637F1D80050CF1',X'A40276479A5454DCF48202BFD608549D777CAF32663344802B30E728F10621DB');
INSERT INTO "signature" VALUES(18,'memory',9,'[9,"mem_1kr3xzbc060rzvwggsyxd"]',X'61F756689335A7DCAA5CFDB7E4CDA426',X'A130E12972A8B393B095D01889EE31D8',X'642CF808F3E168A06E50CA6A9E1B1E6E9BDD4AE02A05A85D03090C1A3A00413C');
INSERT INTO "signature" VALUES(19,'encrypted',5094146889803329774,'["memory","mem_1kr3xzbc060rzvwggsyxd"]',X'46B20B9B386370EE3D14326AE1926ED7',X'F82DFE992B71292FCB26B60F5E700DA4',X'48E5FD06D35E02043F954F2653B4AB35C5EB4DCB3BE5E9AB42E219A346E3283E');
INSERT INTO "signature" VALUES(20,'memory',8,'[8,"mem_gone"]',X'CC099B0C35E3886848D83860E78547D6',NULL,X'28AE4130C55EF81464C863FC8370B1A1D8B424976F7D5535E5EE58818042DCAC');
INSERT INTO "signature" VALUES(21,'removal',1,'[1]',X'429ED6FF2BE3DECCCB886D7DC6875659',X'B7F868F42997F07E9CFD8497FDEC5E00',X'6FD32E9F75F2B57BBDD7EDC576ABCCE94C8E1AD45736A805375054BEA376B87E');
CREATE TABLE space (
        id INTEGER PRIMARY KEY, model TEXT NOT NULL UNIQUE, dimension INTEGER,
        count INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0);
INSERT INTO "space" VALUES(1,'scripted',64,4,5);
CREATE TABLE stage_log (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, turn TEXT, stage TEXT NOT NULL,
        at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT, model TEXT, reply TEXT, ms INTEGER NOT NULL,
        sensitivity TEXT NOT NULL DEFAULT 'normal', messages TEXT NOT NULL, calls TEXT NOT NULL,
        given TEXT NOT NULL, gave TEXT NOT NULL);
INSERT INTO "stage_log" VALUES(4,'log_1kr3xzbc0djwfd0satt9c','turn_1kr3xzbc0g2tjykymywef','answer','2026-05-08T13:56:00Z','main',NULL,NULL,'scripted','',0,'personal','[]','[]','{}','{}');
INSERT INTO "stage_log" VALUES(5,'log_1kr3xzbc06f1f1kz7j3he','turn_1kr3xzbc0g2tjykymywef','reflect','2026-05-08T13:56:00Z','main',NULL,NULL,NULL,'',0,'personal','[]','[]','{}','{}');
INSERT INTO "stage_log" VALUES(6,'log_1kr3xzbc0jx55pd35799h','turn_1kr3xzbc0g2tjykymywef','store','2026-05-08T13:56:00Z','main',NULL,NULL,NULL,'',0,'personal','[]','[]','{}','{}');
CREATE TABLE turn (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, message TEXT NOT NULL, answer TEXT,
        created_at TEXT NOT NULL, recorded_at TEXT NOT NULL, session TEXT, "user" TEXT, agent TEXT,
        metadata TEXT NOT NULL DEFAULT '{}', interrupted TEXT, ref TEXT);
INSERT INTO "turn" VALUES(1,'turn_1kr3xzbc0g2tjykymywef','My sister Ana works at Bosch.','Noted: Your sister Ana works at Bosch.','2026-05-08T13:56:00Z','2026-05-08T13:56:00Z','main',NULL,NULL,'{}',NULL,NULL);
CREATE TABLE world (
        owner TEXT PRIMARY KEY, "user" TEXT, project TEXT, timezone TEXT, updated_at TEXT NOT NULL,
        topics TEXT NOT NULL, topic_weights TEXT NOT NULL, goals TEXT NOT NULL,
        entities TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE world_change (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, "user" TEXT, turn TEXT,
        batch TEXT, undone_at TEXT, operations TEXT NOT NULL, before TEXT, after TEXT);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX turn_session ON turn (session, key);
CREATE INDEX turn_count ON turn (session, "user", created_at);
CREATE INDEX turn_time ON turn (created_at);
CREATE INDEX memory_identity ON memory (identity_hash);
CREATE INDEX memory_content ON memory (content_hash);
CREATE INDEX memory_time ON memory (created_at);
CREATE INDEX memory_core ON memory (scope) WHERE scope = 'core';
CREATE INDEX memory_session ON memory (session);
CREATE INDEX memory_batch ON memory (batch) WHERE batch IS NOT NULL;
CREATE INDEX memory_type ON memory (type, key);
CREATE INDEX memory_stale ON memory (key) WHERE stale IS NOT NULL;
CREATE INDEX memory_inactive ON memory (status, expires_at) WHERE status <> 'active';
CREATE INDEX fact_subject ON fact (lower(subject), predicate);
CREATE INDEX fact_group ON fact ("user", entity, predicate, value);
CREATE INDEX fact_entity ON fact (entity);
CREATE INDEX fact_time ON fact (created_at);
CREATE INDEX fact_interval_fact ON fact_interval (fact, believed_to);
CREATE INDEX world_change_user ON world_change ("user", key);
CREATE INDEX world_change_turn ON world_change (turn) WHERE turn IS NOT NULL;
CREATE INDEX world_change_batch ON world_change (batch) WHERE batch IS NOT NULL;
CREATE INDEX insight_merged ON insight (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX insight_status ON insight (status, key);
CREATE INDEX about_concept ON about (concept, key);
CREATE INDEX plan_session ON plan (session, "user", key);
CREATE INDEX stage_log_turn ON stage_log (turn) WHERE turn IS NOT NULL;
CREATE INDEX stage_log_at ON stage_log (at);
CREATE INDEX link_target ON link (target);
CREATE INDEX event_turn ON event (turn) WHERE turn IS NOT NULL;
CREATE INDEX job_turn ON job (turn);
CREATE INDEX job_state ON job (kind, state, n);
CREATE INDEX signature_ref ON signature (ref);
CREATE VIEW turn_entry AS SELECT key, id, 'turn' AS "record", 'turn' AS "kind", coalesce('User: ' || message, '') || coalesce('
Assistant: ' || answer, '') AS "text", message || coalesce('
' || answer, '') AS "search_text", message AS "embed_text", answer AS "sentence_text", 'turn' AS "type", NULL AS "topic", 'episodic' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", CAST(1.0 AS DOUBLE PRECISION) AS "trust", NULL AS "expires_at", "metadata" AS "metadata", NULL AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", true AS "live" FROM turn;
CREATE VIEW memory_entry AS SELECT key, id, 'memory' AS "record", CASE type WHEN 'document' THEN 'document' WHEN 'document_chunk' THEN 'document' WHEN 'document_summary' THEN 'document' ELSE 'memory' END AS "kind", content AS "text", content AS "search_text", content AS "embed_text", '' AS "sentence_text", "type" AS "type", "topic" AS "topic", "scope" AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", "expires_at" AS "expires_at", "metadata" AS "metadata", "provenance" AS "provenance", "valid_from" AS "valid_from", "valid_to" AS "valid_to", "suspicious" AS "suspicious", "status" = 'active' AS "live" FROM memory;
CREATE VIEW fact_entry AS SELECT key, id, 'fact' AS "record", 'fact' AS "kind", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') AS "text", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') || coalesce(' ' || quote, '') AS "search_text", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') AS "embed_text", '' AS "sentence_text", "predicate" AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", NULL AS "expires_at", "metadata" AS "metadata", "provenance" AS "provenance", "valid_from" AS "valid_from", "valid_to" AS "valid_to", NULL AS "suspicious", "retired_at" IS NULL AS "live" FROM fact;
CREATE VIEW project_entry AS SELECT key, id, 'project' AS "record", 'memory' AS "kind", coalesce('Project ' || name, '') || coalesce(', ' || status, '') || coalesce(': ' || description, '') AS "text", name || coalesce('
' || description, '') AS "search_text", coalesce('Project ' || name, '') || coalesce(': ' || description, '') AS "embed_text", '' AS "sentence_text", 'project' AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", CAST(1.0 AS DOUBLE PRECISION) AS "trust", NULL AS "expires_at", '{}' AS "metadata", "provenance" AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", true AS "live" FROM project;
CREATE VIEW insight_entry AS SELECT key, id, 'insight' AS "record", 'insight' AS "kind", content AS "text", content AS "search_text", content AS "embed_text", '' AS "sentence_text", 'insight' AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", NULL AS "expires_at", '{}' AS "metadata", NULL AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", "status" = 'active' AS "live" FROM insight;
CREATE VIEW entry AS SELECT key, id, 'turn' AS "record", 'turn' AS "kind", coalesce('User: ' || message, '') || coalesce('
Assistant: ' || answer, '') AS "text", message || coalesce('
' || answer, '') AS "search_text", message AS "embed_text", answer AS "sentence_text", 'turn' AS "type", NULL AS "topic", 'episodic' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", CAST(1.0 AS DOUBLE PRECISION) AS "trust", NULL AS "expires_at", "metadata" AS "metadata", NULL AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", true AS "live" FROM turn UNION ALL SELECT key, id, 'memory' AS "record", CASE type WHEN 'document' THEN 'document' WHEN 'document_chunk' THEN 'document' WHEN 'document_summary' THEN 'document' ELSE 'memory' END AS "kind", content AS "text", content AS "search_text", content AS "embed_text", '' AS "sentence_text", "type" AS "type", "topic" AS "topic", "scope" AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", "expires_at" AS "expires_at", "metadata" AS "metadata", "provenance" AS "provenance", "valid_from" AS "valid_from", "valid_to" AS "valid_to", "suspicious" AS "suspicious", "status" = 'active' AS "live" FROM memory UNION ALL SELECT key, id, 'fact' AS "record", 'fact' AS "kind", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') AS "text", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') || coalesce(' ' || quote, '') AS "search_text", subject || coalesce(' ' || replace(predicate, '_', ' '), '') || coalesce(' ' || object, '') AS "embed_text", '' AS "sentence_text", "predicate" AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", NULL AS "expires_at", "metadata" AS "metadata", "provenance" AS "provenance", "valid_from" AS "valid_from", "valid_to" AS "valid_to", NULL AS "suspicious", "retired_at" IS NULL AS "live" FROM fact UNION ALL SELECT key, id, 'project' AS "record", 'memory' AS "kind", coalesce('Project ' || name, '') || coalesce(', ' || status, '') || coalesce(': ' || description, '') AS "text", name || coalesce('
' || description, '') AS "search_text", coalesce('Project ' || name, '') || coalesce(': ' || description, '') AS "embed_text", '' AS "sentence_text", 'project' AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", CAST(1.0 AS DOUBLE PRECISION) AS "trust", NULL AS "expires_at", '{}' AS "metadata", "provenance" AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", true AS "live" FROM project UNION ALL SELECT key, id, 'insight' AS "record", 'insight' AS "kind", content AS "text", content AS "search_text", content AS "embed_text", '' AS "sentence_text", 'insight' AS "type", NULL AS "topic", 'archival' AS "scope", "created_at" AS "created_at", "session" AS "session", "user" AS "user", "agent" AS "agent", "trust" AS "trust", NULL AS "expires_at", '{}' AS "metadata", NULL AS "provenance", NULL AS "valid_from", NULL AS "valid_to", NULL AS "suspicious", "status" = 'active' AS "live" FROM insight;
CREATE INDEX turn_owner ON turn ("user", agent, created_at);
CREATE INDEX memory_owner ON memory ("user", agent, created_at);
CREATE INDEX fact_owner ON fact ("user", agent, created_at);
CREATE INDEX fact_interval_begin ON fact_interval (valid_from) WHERE believed_to IS NULL;
CREATE INDEX fact_interval_end ON fact_interval (valid_to) WHERE believed_to IS NULL AND valid_to IS NOT NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('embedding',5);
INSERT INTO "sqlite_sequence" VALUES('job',1);
INSERT INTO "sqlite_sequence" VALUES('event',7);
INSERT INTO "sqlite_sequence" VALUES('signature',21);
INSERT INTO "sqlite_sequence" VALUES('removal',1);
COMMIT;
